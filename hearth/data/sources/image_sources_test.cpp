// Tests of the sources of image files, on tests/pictures and on files made here.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/sources/cifar10.h"
#include "hearth/data/sources/cifar100.h"
#include "hearth/data/sources/coco.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/data/sources/image_list.h"
#include "hearth/data/sources/segmentation.h"
#include "hearth/data/sources/voc.h"
#include "hearth/format/jpeg_writer.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

const std::string kPictures = HEARTH_SOURCE_DIR "/tests/pictures/";

std::unique_ptr<Source> open(const Choice<Source>& choice) {
  auto source = registry<Source>().make(choice);
  source->open();
  return source;
}

std::string open_message(const Choice<Source>& choice) {
  return message_of<DataError>([&] { (void)open(choice); });
}

// A sample with memory of its own for every key.
class Sample {
 public:
  Sample(const Source& source, int64_t index) : keys_(source.keys()) {
    memory_.reserve(keys_.size());
    fixed_.resize(keys_.size());
    std::vector<Cell> cells;
    for (size_t k = 0; k < keys_.size(); ++k) {
      memory_.emplace_back(limits_);
      const Spec& spec = keys_[k].spec;
      fixed_[k].resize(spec.is_ragged() ? 0 : static_cast<size_t>(spec.bytes()));
      cells.push_back(spec.is_ragged() ? Cell(memory_[k], spec) : Cell(fixed_[k].data(), spec));
    }
    source.read(index, cells);
    for (const Cell& cell : cells) views_.push_back(cell.view());
  }
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& key) const {
    const auto values = view(key).as<T>();
    return {values.begin(), values.end()};
  }
  [[nodiscard]] std::vector<int64_t> shape(const std::string& key) const {
    return {view(key).shape.begin(), view(key).shape.end()};
  }

 private:
  [[nodiscard]] const View& view(const std::string& key) const {
    for (size_t k = 0; k < keys_.size(); ++k)
      if (keys_[k].key == key) return views_[k];
    throw std::runtime_error("no key " + key);
  }

  std::vector<KeySpec> keys_;
  RaggedMemory limits_;
  std::vector<RaggedValue> memory_;
  std::vector<std::vector<std::byte>> fixed_;
  std::vector<View> views_;
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "hearth-pictures-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& content) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name = "") const {
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

TEST(ImageFolder, FindsEveryFormatInFoldersBelowAClass) {
  const TemporaryFolder folder;
  for (const char* name : {"cat/b.JPG", "cat/deep/er/a.png", "dog/x.webp", "dog/y.bmp",
                           "dog/notes.txt", "dog/.hidden.png", ".git/z.png", "cat/._b.JPG"})
    (void)folder.write(name, name);
  const auto source = open(sources::image_folder({.folder = folder.path()}));
  ASSERT_EQ(source->size(), 4);
  EXPECT_EQ(source->describe(0), "cat/b.JPG");
  EXPECT_EQ(source->describe(1), "cat/deep/er/a.png");
  EXPECT_EQ(Sample(*source, 3).values<int64_t>("label"), std::vector<int64_t>{1});
  EXPECT_EQ(Sample(*source, 2).values<char>("image").size(), 10U);
  EXPECT_EQ(source->keys()[1].spec.class_names, (std::vector<std::string>{"cat", "dog"}));
}

TEST(ImageFolder, TakesTheClassesInTheOrderGiven) {
  const TemporaryFolder folder;
  for (const char* name : {"a/1.png", "b/2.png", "c/3.png"}) (void)folder.write(name, name);
  const auto source = open(sources::image_folder({.folder = folder.path(), .classes = {"c", "a"}}));
  ASSERT_EQ(source->size(), 2);
  EXPECT_EQ(source->describe(0), "c/3.png");
  EXPECT_THAT(open_message(sources::image_folder({.folder = folder.path(), .classes = {"a", "d"}})),
              testing::HasSubstr("has no folder for the class 'd'"));
}

TEST(ImageFolder, NoticesALinkThatLeadsBack) {
  const TemporaryFolder folder;
  (void)folder.write("a/1.png", "x");
  fs::create_directory_symlink(folder.path("a"), folder.path("a/again"));
  EXPECT_THAT(open_message(sources::image_folder({.folder = folder.path()})),
              testing::HasSubstr("leads to a folder around it"));
}

TEST(ImageFolder, HasAnotherFingerprintForOtherPictures) {
  const TemporaryFolder folder;
  (void)folder.write("a/1.png", "one");
  const auto source = sources::image_folder({.folder = folder.path()});
  const std::string before = open(source)->fingerprint();
  EXPECT_EQ(open(source)->fingerprint(), before);
  (void)folder.write("a/1.png", "two");
  EXPECT_NE(open(source)->fingerprint(), before);
}

TEST(ImageList, YieldsAKeyForEachColumn) {
  const auto source =
      open(sources::image_list({.file = kPictures + "list.csv", .numbers = {"width"}}));
  ASSERT_EQ(source->size(), 4);
  const auto keys = source->keys();
  ASSERT_EQ(keys.size(), 4U);
  EXPECT_EQ(keys[1].key, "first");
  EXPECT_EQ(keys[1].spec.class_names, (std::vector<std::string>{"blue", "green", "none", "red"}));
  EXPECT_EQ(keys[2].spec.classes, 4);  // numbers from 0 to 3
  const Sample sample(*source, 2);
  EXPECT_EQ(sample.values<int64_t>("first"), std::vector<int64_t>{0});
  EXPECT_EQ(sample.values<int64_t>("boxes"), std::vector<int64_t>{3});
  EXPECT_EQ(sample.values<float>("width"), std::vector<float>{40});
  EXPECT_EQ(source->describe(2), "images/more/c.webp");
}

TEST(ImageList, ReadsWordsWithoutAHeader) {
  const TemporaryFolder folder;
  const std::string list = folder.write("list.txt", "a.jpg 1\nb.jpg 0\n\n");
  (void)folder.write("b.jpg", "bytes");
  const auto source = open(sources::image_list({.file = list, .columns = {"path", "label"}}));
  EXPECT_EQ(source->size(), 2);
  EXPECT_EQ(Sample(*source, 1).values<char>("image").size(), 5U);
  EXPECT_THROW(Sample(*source, 0), DataError);  // there is no a.jpg
}

TEST(ImageList, NumbersClassesAsAnotherListDoes) {
  const TemporaryFolder folder;
  const std::string train = folder.write("train.csv", "path,label\na,ape\nb,bee\nc,cow\n");
  const std::string eval = folder.write("eval.csv", "path,label\nd,cow\n");
  (void)folder.write("d", "x");
  const auto source = open(sources::image_list({.file = eval, .classes_from = train}));
  EXPECT_EQ(Sample(*source, 0).values<int64_t>("label"), std::vector<int64_t>{2});
  const std::string other = folder.write("other.csv", "path,label\nd,bea\n");
  EXPECT_EQ(open_message(sources::image_list({.file = other, .classes_from = train})),
            other + ":2: 'bea' is no class of 'label'. Did you mean 'bee'?");
}

TEST(ImageList, NamesTheLineThatIsWrong) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text, sources::ImageListOptions options = {}) {
    options.file = folder.write("list.csv", text);
    return open_message(sources::image_list(options)).substr(options.file.size());
  };
  EXPECT_EQ(message("path,label\na.png\n"),
            ":2: has 1 fields, but there are 2 columns: path, label.");
  EXPECT_EQ(message("path,label\n,x\n"), ":2: names no image.");
  EXPECT_EQ(message("path,label\na,\n"),
            ":2: the column 'label' is empty, but a class was expected.");
  EXPECT_EQ(message("path,age\na,old\n", {.numbers = {"age"}}),
            ":2: the column 'age' must be a finite number, but is 'old'.");
  const std::string list = folder.write("list.csv", "path,label\na,x\n");
  EXPECT_EQ(open_message(sources::image_list({.file = list, .labels = {"lable"}})),
            "'lable' is no column of " + list + ". Did you mean 'label'?");
  EXPECT_EQ(message("path,label\n"), ": holds no row below the names of its columns.");
}

TEST(Segmentation, MatchesImagesAndMasksByName) {
  const auto source = open(sources::segmentation(
      {.images = kPictures + "images", .masks = kPictures + "masks", .classes = 4}));
  ASSERT_EQ(source->size(), 4);
  EXPECT_EQ(source->keys()[1].spec.role, Role::kMask);
  const Sample sample(*source, 0);
  EXPECT_EQ(sample.shape("mask"), (std::vector<int64_t>{24, 32}));
  const auto mask = sample.values<int64_t>("mask");
  EXPECT_EQ(mask[0], 0);
  EXPECT_EQ(mask[3 * 32 + 4], 1);
  EXPECT_EQ(mask[21 * 32 + 29], 3);
}

TEST(Segmentation, LeavesOutPointsOfTheValueToIgnore) {
  const TemporaryFolder folder;
  (void)folder.write("images/a.jpg", encode_jpeg({2, 1, 1, {1, 2}}));
  (void)folder.write("masks/a.png", encode_png({2, 1, 1, {1, 255}}));
  const sources::SegmentationOptions options{.images = folder.path("images"),
                                             .masks = folder.path("masks")};
  EXPECT_EQ(Sample(*open(sources::segmentation(options)), 0).values<int64_t>("mask"),
            (std::vector<int64_t>{1, -100}));
  auto none = options;
  none.ignore.reset();
  EXPECT_THAT(message_of<DataError>([&] { Sample(*open(sources::segmentation(none)), 0); }),
              testing::HasSubstr("a.png: has the class 255 at x 1, y 0, but there are 2 classes"));
}

TEST(Segmentation, NamesAnImageWithoutAMask) {
  const TemporaryFolder folder;
  (void)folder.write("images/a.jpg", "x");
  fs::create_directories(folder.path("masks"));
  EXPECT_EQ(
      open_message(
          sources::segmentation({.images = folder.path("images"), .masks = folder.path("masks")})),
      folder.path("images/a.jpg") + ": has no mask; expected " + folder.path("masks/a") + ".png.");
}

TEST(ImageSources, CountTheNamesAndBoxesTheyKeep) {
  const std::string images = kPictures + "images";
  const std::string boxes = kPictures + "coco.json";
  const Choice<Source> all[] = {
      sources::image_list({.file = kPictures + "list.csv", .numbers = {"width"}}),
      sources::segmentation({.images = images, .masks = kPictures + "masks", .classes = 4}),
      sources::voc({.images = images, .annotations = kPictures + "voc"}),
      sources::coco({.images = images, .annotations = boxes})};
  for (const Choice<Source>& choice : all) {
    const auto source = open(choice);
    uint64_t names = 0;
    for (int64_t i = 0; i < source->size(); ++i) names += source->describe(i).size();
    EXPECT_GT(source->resident_bytes(), names) << choice.name();
  }
  EXPECT_GT(open(sources::coco({.images = images, .annotations = boxes, .masks = "classes"}))
                ->resident_bytes(),
            open(all[3])->resident_bytes());
}

TEST(Cifar, ReadsPlanesAsPoints) {
  const auto source = open(sources::cifar10({.folder = kPictures + "cifar10"}));
  ASSERT_EQ(source->size(), 5);
  const Sample sample(*source, 2);
  EXPECT_EQ(sample.values<int64_t>("label"), std::vector<int64_t>{3});
  const auto image = sample.values<uint8_t>("image");
  ASSERT_EQ(image.size(), 3072U);
  EXPECT_EQ((std::vector<uint8_t>{image[0], image[1], image[2], image[3]}),
            (std::vector<uint8_t>{30, 31, 32, 30}));
  EXPECT_EQ(source->describe(2), "data_batch_3.bin[0]");
}

TEST(Cifar, HasAGroupOverEachOfTheHundredClasses) {
  const auto source = open(sources::cifar100({.folder = kPictures + "cifar100"}));
  const Sample sample(*source, 1);
  EXPECT_EQ(sample.values<int64_t>("label"), std::vector<int64_t>{99});
  EXPECT_EQ(sample.values<int64_t>("group"), std::vector<int64_t>{19});
  const auto keys = source->keys();
  EXPECT_EQ(keys[1].spec.class_names.size(), 20U);
  EXPECT_EQ(keys[2].spec.class_names.size(), 100U);
}

TEST(Cifar, RefusesHalfARecordAndClassesThatAreNone) {
  const TemporaryFolder folder;
  (void)folder.write("test_batch.bin", std::string(3000, 'x'));
  const auto test = sources::cifar10({.folder = folder.path(), .split = "test"});
  EXPECT_THAT(open_message(test), testing::HasSubstr("no whole number of records of 3073"));
  (void)folder.write("test_batch.bin", std::string(3073, 'x'));
  EXPECT_THAT(message_of<DataError>([&] { Sample(*open(test), 0); }),
              testing::HasSubstr("has the class 120, but there are 10"));
}

TEST(Voc, CountsPointsFromZeroAndEndsBehindTheLast) {
  const auto source =
      open(sources::voc({.images = kPictures + "images", .annotations = kPictures + "voc"}));
  ASSERT_EQ(source->size(), 4);
  EXPECT_EQ(source->keys()[2].spec.class_names, (std::vector<std::string>{"blue", "green", "red"}));
  const Sample sample(*source, 0);
  EXPECT_EQ(sample.values<float>("boxes"), (std::vector<float>{4, 3, 16, 13, 18, 10, 30, 22}));
  EXPECT_EQ(sample.values<int64_t>("labels"), (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(Sample(*source, 3).shape("boxes"), (std::vector<int64_t>{0, 4}));
}

TEST(Voc, LeavesOutOtherClassesAndDifficultBoxes) {
  const TemporaryFolder folder;
  const auto source = open(sources::voc({.images = kPictures + "images",
                                         .annotations = kPictures + "voc",
                                         .list = folder.write("list.txt", "c\nb\n"),
                                         .classes = {"red", "green"},
                                         .difficult = false}));
  ASSERT_EQ(source->size(), 2);
  EXPECT_EQ(source->describe(0), "more/c.webp");
  EXPECT_EQ(Sample(*source, 0).values<int64_t>("labels"), std::vector<int64_t>{0});
  EXPECT_EQ(Sample(*source, 1).shape("labels"), std::vector<int64_t>{0});
}

TEST(Voc, NamesTheLineThatIsWrong) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& object) {
    const std::string file =
        folder.write("a.xml", "<annotation><filename>a.png</filename>\n<object>" + object +
                                  "</object></annotation>");
    return open_message(sources::voc({.images = folder.path(), .annotations = folder.path()}))
        .substr(file.size());
  };
  EXPECT_EQ(message("<name>x</name>"), ":2: <object> has no <bndbox>.");
  EXPECT_EQ(message("<name>x</name><bndbox><xmin>a</xmin></bndbox>"),
            ":2: <xmin> must be a number of points, but is 'a'.");
  EXPECT_EQ(message("<name>x</name><bndbox><xmin>5</xmin><ymin>1</ymin><xmax>4</xmax>"
                    "<ymax>2</ymax></bndbox>"),
            ":2: the box ends before it begins.");
}

TEST(Coco, YieldsBoxesMasksAndKeypoints) {
  const auto source = open(sources::coco({.images = kPictures + "images",
                                          .annotations = kPictures + "coco.json",
                                          .masks = "classes",
                                          .keypoints = true}));
  ASSERT_EQ(source->size(), 4);
  const Sample sample(*source, 0);
  EXPECT_EQ(sample.values<float>("boxes"), (std::vector<float>{4, 3, 16, 13, 18, 10, 30, 22}));
  EXPECT_EQ(sample.values<int64_t>("labels"), (std::vector<int64_t>{0, 2}));
  const auto masks = open(sources::segmentation(
      {.images = kPictures + "images", .masks = kPictures + "masks", .classes = 4}));
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(Sample(*source, i).values<int64_t>("mask"),
              Sample(*masks, i).values<int64_t>("mask"));
  EXPECT_EQ(sample.shape("keypoints"), (std::vector<int64_t>{2, 2, 2}));
  EXPECT_EQ(sample.values<float>("keypoints"), (std::vector<float>{4, 3, 0, 0, 18, 10, 0, 0}));
  EXPECT_EQ(sample.values<int64_t>("visible"), (std::vector<int64_t>{2, 0, 2, 0}));
}

TEST(Coco, FillsRunLengthsWithTheNumberOfTheBox) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.json", R"({"annotations": [
      {"id": 1, "image_id": 7, "category_id": 3, "bbox": [0, 0, 1, 1],
       "segmentation": {"size": [2, 2], "counts": [1, 1, 2]}},
      {"id": 2, "image_id": 7, "category_id": 3, "bbox": [0, 0, 1, 1],
       "segmentation": {"size": [2, 2], "counts": "31"}},
      {"id": 3, "image_id": 7, "category_id": 3, "bbox": [0, 0, 1, 1], "iscrowd": 1},
      {"id": 4, "image_id": 7, "category_id": 3, "bbox": [0, 0, 0, 1]}],
      "images": [{"id": 7, "file_name": "a.png", "width": 2, "height": 2}],
      "categories": [{"id": 3, "name": "thing"}]})");
  (void)folder.write("a.png", "x");
  const auto source =
      open(sources::coco({.images = folder.path(), .annotations = file, .masks = "instances"}));
  EXPECT_EQ(Sample(*source, 0).values<int64_t>("mask"), (std::vector<int64_t>{0, 0, 1, 2}));
  EXPECT_EQ(Sample(*source, 0).shape("boxes"), (std::vector<int64_t>{2, 4}));
}

TEST(Coco, NamesTheAnnotationThatIsWrong) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& annotation) {
    const std::string file = folder.write(
        "x.json", R"({"images": [{"id": 7, "file_name": "a.png", "width": 2, "height": 2}],
        "categories": [{"id": 3, "name": "thing"}], "annotations": [)" +
                      annotation + "]}");
    return open_message(sources::coco({.images = folder.path(), .annotations = file}))
        .substr(file.size());
  };
  EXPECT_EQ(message(R"({"id": 1, "image_id": 8, "category_id": 3, "bbox": [0, 0, 1, 1]})"),
            ": annotation 1: there is no image 8.");
  EXPECT_EQ(message(R"({"id": 1, "image_id": 7, "category_id": 4, "bbox": [0, 0, 1, 1]})"),
            ": annotation 1: there is no category 4.");
  EXPECT_EQ(message(R"({"id": 1, "image_id": 7, "category_id": 3, "bbox": [0, 1, 1]})"),
            ": annotation 1: \"bbox\" must be [left, top, width, height].");
  EXPECT_EQ(message(R"({"id": 1, "image_id": "7"})"),
            ": annotation 1: \"image_id\" must be a whole number.");
  EXPECT_EQ(message("5"), ": annotation without an id: \"id\" must be a whole number.");
}

}  // namespace
}  // namespace hearth
