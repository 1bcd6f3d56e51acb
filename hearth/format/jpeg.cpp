// JPEG through libjpeg-turbo. It reports errors by longjmp: the functions it jumps out of keep to
// plain data, and what C++ has to do happens between them.
#include "hearth/format/jpeg.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
// After <cstdio>, which it needs.
#include <jpeglib.h>

#include <jerror.h>

#include <algorithm>
#include <array>

#include "hearth/base/error.h"

namespace hearth {

namespace {

// A block of 64 points takes a bit at least; a header that claims more points is a lie.
constexpr uint64_t kPointsPerByte = 512;
constexpr int64_t kEdge = 2;  // points next to a cut that are smoothed otherwise than in the whole
constexpr int64_t kRowsAtOnce = 16;

struct JpegJob {
  jpeg_decompress_struct info;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf escape;
  std::array<char, JMSG_LENGTH_MAX> message;
  int64_t most_scans;
  // What to read: rows [top, top + rows) of the points that start at `left`, to `to`.
  PictureWindow window;
  bool is_whole;
  uint8_t* to;
};

extern "C" void escape_from_jpeg(j_common_ptr common) {
  auto* job = static_cast<JpegJob*>(common->client_data);
  common->err->format_message(common, job->message.data());
  std::longjmp(job->escape, 1);
}

extern "C" void jpeg_message(j_common_ptr common, int level) {
  if (level < 0) escape_from_jpeg(common);  // a warning: data that is damaged
}

extern "C" void watch_jpeg_scans(j_common_ptr common) {
  auto* job = static_cast<JpegJob*>(common->client_data);
  if (job->info.input_scan_number <= job->most_scans) return;
  std::snprintf(job->message.data(), job->message.size(), "more than %lld scans",
                static_cast<long long>(job->most_scans));
  std::longjmp(job->escape, 1);
}

void prepare_errors(jpeg_error_mgr& errors) {
  (void)jpeg_std_error(&errors);
  errors.error_exit = escape_from_jpeg;
  errors.emit_message = jpeg_message;
}

// False: job.message says what is wrong.
bool open_jpeg(JpegJob& job, const uint8_t* bytes, size_t size, int64_t memory_bytes) {
  prepare_errors(job.errors);
  job.info.err = &job.errors;
  job.info.client_data = &job;
  if (setjmp(job.escape) != 0) return false;
  jpeg_create_decompress(&job.info);
  job.info.mem->max_memory_to_use = static_cast<long>(memory_bytes);
  job.progress.progress_monitor = watch_jpeg_scans;
  job.info.progress = &job.progress;
  jpeg_mem_src(&job.info, bytes, size);
  (void)jpeg_read_header(&job.info, TRUE);
  return true;
}

bool is_ink(const jpeg_decompress_struct& info) {
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
}

J_COLOR_SPACE colours_of(const jpeg_decompress_struct& info, int64_t channels) {
  if (is_ink(info)) return JCS_CMYK;
  if (channels == 1) return JCS_GRAYSCALE;
  return channels == 3 ? JCS_RGB : JCS_EXT_RGBA;
}

// What is left of the light that black lets through when an ink takes its share.
uint8_t light_left(uint32_t ink, uint32_t light) {
  const uint32_t taken = ink * light + 128;
  return static_cast<uint8_t>(light - ((taken + (taken >> 8)) >> 8));
}

// Four inks to red, green and blue without a profile. Adobe stores them inverted.
void convert_inks(const uint8_t* from, int64_t count, bool is_inverted, int64_t channels,
                  uint8_t* to) {
  const uint32_t flip = is_inverted ? 255 : 0;
  for (int64_t i = 0; i < count; ++i, from += 4, to += channels) {
    uint8_t colour[3];
    for (int c = 0; c < 3; ++c) colour[c] = light_left(from[c] ^ flip, 255 - (from[3] ^ flip));
    if (channels == 1) {
      to[0] = luma(colour[0], colour[1], colour[2]);
      continue;
    }
    std::memcpy(to, colour, 3);
    if (channels == 4) to[3] = 255;
  }
}

void read_ink_rows(JpegJob& job, int64_t channels) {
  jpeg_decompress_struct& info = job.info;
  auto* common = reinterpret_cast<j_common_ptr>(&info);
  const JSAMPARRAY row = info.mem->alloc_sarray(common, JPOOL_IMAGE, info.output_width * 4, 1);
  for (int64_t y = 0; y < job.window.size.height; ++y) {
    (void)jpeg_read_scanlines(&info, row, 1);
    convert_inks(row[0], info.output_width, info.saw_Adobe_marker != 0, channels,
                 job.to + y * job.window.size.width * channels);
  }
}

void read_rows(JpegJob& job, int64_t channels) {
  JSAMPROW rows[kRowsAtOnce];
  const int64_t height = job.window.size.height;
  for (int64_t y = 0; y < height;) {
    const int64_t count = std::min(kRowsAtOnce, height - y);
    for (int64_t i = 0; i < count; ++i)
      rows[i] = job.to + (y + i) * job.window.size.width * channels;
    y += jpeg_read_scanlines(&job.info, rows, static_cast<JDIMENSION>(count));
  }
}

// Finds which points libjpeg can begin and end with to make those of job.window.
bool start_jpeg(JpegJob& job, int64_t channels, int64_t shrink) {
  if (setjmp(job.escape) != 0) return false;
  jpeg_decompress_struct& info = job.info;
  info.out_color_space = colours_of(info, channels);
  info.scale_num = 1;
  info.scale_denom = static_cast<unsigned>(shrink);
  info.dct_method = JDCT_ISLOW;
  (void)jpeg_start_decompress(&info);
  if (job.is_whole) {
    job.window = {0, 0, {info.output_height, info.output_width}};
    return true;
  }
  const int64_t begin = std::max<int64_t>(0, job.window.left - kEdge);
  const int64_t end =
      std::min<int64_t>(info.output_width, job.window.left + job.window.size.width + kEdge);
  auto left = static_cast<JDIMENSION>(begin);
  auto width = static_cast<JDIMENSION>(end - begin);
  jpeg_crop_scanline(&info, &left, &width);
  job.window.left = left;
  job.window.size.width = info.output_width;
  return true;
}

bool read_jpeg(JpegJob& job, int64_t channels) {
  if (setjmp(job.escape) != 0) return false;
  if (job.window.top > 0)
    (void)jpeg_skip_scanlines(&job.info, static_cast<JDIMENSION>(job.window.top));
  if (is_ink(job.info))
    read_ink_rows(job, channels);
  else
    read_rows(job, channels);
  if (job.is_whole) (void)jpeg_finish_decompress(&job.info);  // up to the end mark
  return true;
}

// Gives back what libjpeg took, also when reading ends early.
struct OwnedJpegJob : JpegJob {
  OwnedJpegJob() : JpegJob{} {}
  OwnedJpegJob(const OwnedJpegJob&) = delete;
  OwnedJpegJob& operator=(const OwnedJpegJob&) = delete;
  ~OwnedJpegJob() { jpeg_destroy_decompress(&info); }
};

// One picture that is being read; throws what the functions above found.
class JpegReader {
 public:
  JpegReader(std::string_view bytes, const std::string& what, const JpegLimits& limits)
      : what_(what) {
    job_.most_scans = limits.scans;
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
    if (bytes.empty()) throw DataError(what_ + ": the JPEG is empty.");
    check(open_jpeg(job_, data, bytes.size(), limits.memory_bytes));
    check_claims(bytes.size(), limits);
    points_ = bytes.substr(bytes.size() - job_.info.src->bytes_in_buffer);
  }

  [[nodiscard]] PictureSize size() const { return {job_.info.image_height, job_.info.image_width}; }

  void read_all(int64_t channels, const PicturePlace& place) {
    job_.is_whole = true;
    read(channels, 1, place);
  }
  PictureWindow read_part(int64_t channels, const PicturePart& part, const PicturePlace& place) {
    job_.window = part.window;
    check_window(part);
    check_end();
    read(channels, part.shrink, place);
    return job_.window;
  }

 private:
  void read(int64_t channels, int64_t shrink, const PicturePlace& place) {
    if (channels != 1 && channels != 3 && channels != 4)
      throw InternalError("decode_jpeg: channels must be 1, 3 or 4, but is " +
                          std::to_string(channels) + ".");
    check(start_jpeg(job_, channels, shrink));
    job_.to = place(job_.window.size.height, job_.window.size.width);
    check(read_jpeg(job_, channels));
  }

  // Among coded points no byte 0xff is followed by the end mark's other one, so that a file which
  // is cut off anywhere has no such mark behind its header.
  void check_end() const {
    if (points_.rfind("\xff\xd9") == points_.npos) throw_truncated();
  }

  [[noreturn]] void throw_truncated() const {
    throw DataError(what_ + ": the JPEG ends too early; it is truncated, get it again.");
  }

  void check_window(const PicturePart& part) const {
    const PictureWindow& window = part.window;
    const bool is_scale =
        part.shrink == 1 || part.shrink == 2 || part.shrink == 4 || part.shrink == 8;
    const int64_t height = (size().height + part.shrink - 1) / std::max<int64_t>(1, part.shrink);
    const int64_t width = (size().width + part.shrink - 1) / std::max<int64_t>(1, part.shrink);
    if (!is_scale || window.top < 0 || window.left < 0 || window.size.height < 1 ||
        window.size.width < 1 || window.top + window.size.height > height ||
        window.left + window.size.width > width)
      throw InternalError(what_ + ": asked for a part of the JPEG that is not in it.");
  }

  void check_claims(uint64_t file_bytes, const JpegLimits& limits) const {
    const auto [height, width] = size();
    const std::string text = std::to_string(width) + " x " + std::to_string(height);
    if (width > limits.side || height > limits.side || width * height > limits.pixels)
      throw DataError(what_ + ": the JPEG is " + text + ", the limit is " +
                      std::to_string(limits.pixels) + " pixels. Scale it down.");
    const bool packs_better = job_.info.arith_code != 0;
    if (!packs_better && static_cast<uint64_t>(width * height) > file_bytes * kPointsPerByte)
      throw DataError(what_ + ": the JPEG claims " + text + " pixels, but its " +
                      std::to_string(file_bytes) +
                      " bytes cannot hold them; it is truncated or damaged.");
  }

  void check(bool is_well) const {
    if (is_well) return;
    const int code = job_.errors.msg_code;
    if (code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (code == JWRN_JPEG_EOF || code == JERR_INPUT_EOF) throw_truncated();
    if (code == JERR_NO_BACKING_STORE)
      throw DataError(what_ + ": the JPEG needs more memory to be read than it may take.");
    throw DataError(what_ + ": not a JPEG that can be read: " + job_.message.data() + ".");
  }

  std::string what_;
  OwnedJpegJob job_;
  std::string_view points_;  // what follows the header
};

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

PictureSize jpeg_size(std::string_view bytes, const std::string& what, const JpegLimits& limits) {
  return JpegReader(bytes, what, limits).size();
}

void decode_jpeg_into(std::string_view bytes, int64_t channels, const std::string& what,
                      const PicturePlace& place, const JpegLimits& limits) {
  JpegReader(bytes, what, limits).read_all(channels, place);
}

PictureWindow decode_jpeg_part(std::string_view bytes, int64_t channels, const PicturePart& part,
                               const std::string& what, const PicturePlace& place,
                               const JpegLimits& limits) {
  return JpegReader(bytes, what, limits).read_part(channels, part, place);
}

Image decode_jpeg(std::string_view bytes, int64_t channels, const std::string& what,
                  const JpegLimits& limits) {
  Image image{0, 0, channels, {}};
  const auto place = [&](int64_t height, int64_t width) {
    image.width = width;
    image.height = height;
    image.pixels.resize(static_cast<size_t>(height * width * channels));
    return image.pixels.data();
  };
  decode_jpeg_into(bytes, channels, what, place, limits);
  return image;
}

}  // namespace hearth
