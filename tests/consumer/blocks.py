#!/usr/bin/env python3
# Writes the files that a document shows: blocks.py DOCUMENT FOLDER. A block whose first line is a comment with a path,
# such as `# mine/CMakeLists.txt`, is that file.
import re
import sys
from pathlib import Path

document, folder = sys.argv[1], Path(sys.argv[2])
blocks = re.findall(r"^```\w+\n(?:#|//) (\S+/\S+)\n(.*?)^```", Path(document).read_text(), re.MULTILINE | re.DOTALL)
for path, text in blocks:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)
    print(path)
sys.exit(0 if blocks else f"{document} shows no file")
