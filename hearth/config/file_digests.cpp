// Digests of files that options name.
#include "hearth/config/file_digests.h"

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/mapped_file.h"
#include "hearth/config/walk.h"

namespace hearth {
namespace {

std::string digest_if_readable(const std::string& path) {
  try {
    Sha256 digest;
    digest.add(MappedFile(path).bytes());
    return digest.finish_hex();
  } catch (const DataError&) {
    return "";
  }
}

void fill_digests(Node& options, const SchemaInfo& schema) {
  for (const Field& field : schema.fields) {
    if (field.type.digest_of.empty()) continue;
    const Node* file = options.find(field.type.digest_of);
    Node* digest = options.find(field.name);
    if (file == nullptr || digest == nullptr || !digest->text().empty()) continue;
    const std::string found = digest_if_readable(file->text());
    if (!found.empty()) *digest = Node::scalar(found, digest->mark());
  }
}

}  // namespace

Node with_digests(Node config, const SchemaInfo& schema, const Catalog& catalog) {
  for_each_options(config, schema, catalog, fill_digests);
  return config;
}

}  // namespace hearth
