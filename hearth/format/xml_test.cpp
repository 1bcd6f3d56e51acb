// Tests of XML: the tree, and hostile input.
#include "hearth/format/xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {

namespace {

std::string xml_message(const std::string& text, const XmlLimits& limits = {}) {
  return message_of<DataError>([&] { (void)parse_xml(text, "x.xml", limits); });
}

TEST(Xml, GivesElementsWithTheirTextAndLine) {
  const XmlElement root = parse_xml("<a>\n <b> 1 &lt; 2 </b>\n <c/><b>x</b></a>", "x.xml");
  EXPECT_EQ(root.name, "a");
  ASSERT_EQ(root.children.size(), 3U);
  EXPECT_EQ(root.child("b")->text, "1 < 2");
  EXPECT_EQ(root.child("b")->line, 2);
  EXPECT_EQ(root.children[2].text, "x");
  EXPECT_EQ(root.child("d"), nullptr);
}

TEST(Xml, NamesTheLineOfAFault) {
  EXPECT_EQ(xml_message("<a>\n<b></a>"), "x.xml:2: not XML that can be read: mismatched tag.");
  EXPECT_THAT(xml_message(""), testing::HasSubstr("no element found"));
  const std::string text = "<a><b>text</b></a>";
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(xml_message(text.substr(0, length)), "no fault") << length;
}

TEST(Xml, RefusesEntitiesThatGrow) {
  EXPECT_THAT(xml_message("<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;\">]>"
                          "<a>&c;&c;&c;</a>"),
              testing::HasSubstr("it declares a document type, which is not read"));
}

TEST(Xml, HoldsItsLimits) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_THAT(xml_message(deep), testing::HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(xml_message("<a><b/><b/></a>", {.elements = 2}),
              testing::HasSubstr("more than 2 elements"));
  EXPECT_THAT(xml_message("<a></a>", {.bytes = 3}), testing::HasSubstr("the limit is 3 B"));
}

}  // namespace

}  // namespace hearth
