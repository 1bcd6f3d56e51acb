// COCO's JSON of images, categories and annotations, read item by item.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hearth/data/boxes_by_image.h"

namespace hearth {

// Where the object lies: polygons of x, y, x, y, ..., or run lengths.
struct CocoShape {
  std::vector<std::vector<float>> polygons = {};
  std::vector<uint32_t> run_lengths = {};
};

struct CocoWants {
  bool shapes = false;
  bool keypoints = false;
  bool crowds = false;  // annotations of many objects at once
};

struct CocoFile {
  struct Image {
    int64_t id = 0;
    std::string file;
    int64_t height = 0;
    int64_t width = 0;
  };
  std::vector<Image> images;
  std::vector<std::string> classes;  // in the order of their ids
  BoxesByImage boxes;
  std::vector<CocoShape> shapes;  // for each box, if wanted
  std::vector<float> keypoints;   // x, y, visible: `keypoints_of_box` for each box, if wanted
  int64_t keypoints_of_box = 0;
  [[nodiscard]] uint64_t resident_bytes() const;
};

// Boxes without a point are left out. DataError names the file and the image or annotation.
[[nodiscard]] CocoFile read_coco(const std::filesystem::path& path, const CocoWants& wants);

}  // namespace hearth
