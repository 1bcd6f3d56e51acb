// JPEG through libjpeg-turbo, which reports errors by longjmp: what it jumps out of is plain data.
#include "hearth/format/jpeg_writer.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// After <cstdio>, which it needs.
#include <jpeglib.h>

#include <memory>

#include "hearth/base/error.h"

namespace hearth {

namespace {

struct JpegWriting {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  std::jmp_buf escape;
  std::array<char, JMSG_LENGTH_MAX> message;
  unsigned char* bytes;
  unsigned long size;
};

extern "C" void escape_from_jpeg_writing(j_common_ptr common) {
  auto* writing = static_cast<JpegWriting*>(common->client_data);
  common->err->format_message(common, writing->message.data());
  std::longjmp(writing->escape, 1);
}

J_COLOR_SPACE colours_of(const PointRows& image) {
  if (image.channels == 1) return JCS_GRAYSCALE;
  return image.channels == 3 ? JCS_RGB : JCS_EXT_RGBA;
}

void describe_jpeg(jpeg_compress_struct& info, const PointRows& image,
                   const JpegEncoding& encoding) {
  info.image_width = static_cast<JDIMENSION>(image.width);
  info.image_height = static_cast<JDIMENSION>(image.height);
  info.input_components = static_cast<int>(image.channels);
  info.in_color_space = colours_of(image);
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, encoding.quality, TRUE);
  if (encoding.is_progressive) jpeg_simple_progression(&info);
  if (encoding.has_full_colour)
    info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
}

bool write_jpeg(JpegWriting& writing, const PointRows& image, const JpegEncoding& encoding) {
  jpeg_compress_struct& info = writing.info;
  info.err = jpeg_std_error(&writing.errors);
  writing.errors.error_exit = escape_from_jpeg_writing;
  info.client_data = &writing;
  if (setjmp(writing.escape) != 0) return false;
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &writing.bytes, &writing.size);
  describe_jpeg(info, image, encoding);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    const int64_t start = info.next_scanline * image.width * image.channels;
    auto* row = const_cast<JSAMPROW>(image.points + start);  // it is only read
    (void)jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

void encode_jpeg_into(const PointRows& image, const JpegEncoding& encoding, std::string& into) {
  JpegWriting writing{};
  const bool is_written = write_jpeg(writing, image, encoding);
  jpeg_destroy_compress(&writing.info);
  const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(writing.bytes, &std::free);
  if (!is_written)
    throw DataError("encode_jpeg: cannot write " + std::to_string(image.width) + " x " +
                    std::to_string(image.height) + " pixels: " + writing.message.data() + ".");
  into.assign(reinterpret_cast<const char*>(bytes.get()), writing.size);
}

std::string encode_jpeg(const Image& image, const JpegEncoding& encoding) {
  std::string jpeg;
  encode_jpeg_into({image.width, image.height, image.channels, image.pixels.data()}, encoding,
                   jpeg);
  return jpeg;
}

}  // namespace hearth
