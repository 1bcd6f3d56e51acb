"""hearth data get against a server on this machine that also breaks off, lies and serves other bytes."""
import hashlib
import http.server
import io
import json
import tarfile
import threading
import unittest

from hearth_program import Folder

CONTENT = bytes(range(256)) * 4096  # 1 MiB
CHECKSUM = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


def archive(names):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 5
            tar.addfile(entry, io.BytesIO(b"hello"))
    return packed.getvalue()


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`; the first `breaks` answers stop in the middle, `lie` promises more than there is."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.breaks, self.lie, self.has_ranges, self.ranges = {}, 0, 0, True, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server, content = self.server, self.server.files.get(self.path[1:])
        if content is None:
            return self.send_error(404)
        start = 0
        asked = self.headers.get("Range")
        server.ranges.append(asked)
        if asked and server.has_ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                return self.send_error(416)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        rest = content[start:]
        self.send_header("Content-Length", str(len(rest) + server.lie))
        self.end_headers()
        if server.breaks > 0:
            server.breaks -= 1
            rest = rest[: len(rest) // 2]
        try:
            self.wfile.write(rest)
        except ConnectionError:
            pass  # whoever was promised less has gone

    def log_message(self, *_):
        pass


class Get(unittest.TestCase):
    def setUp(self):
        self.server, self.folder = Server(), Folder()
        self.addCleanup(self.folder._folder.cleanup)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def describe(self, name="data.bin", checksum=CHECKSUM, content=CONTENT):
        self.server.files[name] = content
        text = f"about: A small set.\nfiles:\n  - url: {self.server.url}{name}\n    checksum: {checksum}\n"
        (self.folder.path / "mine.yaml").write_text(text + "use: 'csv: FOLDER/data.bin'\n")

    def get(self, *words, ok=True):
        return self.folder.run("data", "get", "mine.yaml", "--to", "sets", *words, ok=ok)

    def left(self):
        return sorted(str(file.relative_to(self.folder.path)) for file in self.folder.path.glob("sets/**/*")
                      if file.is_file())

    def test_gets_checks_and_says_how_to_use_it(self):
        self.describe()
        document = json.loads(self.get("--json").stdout)
        self.assertEqual(["sets/mine/data.bin"], self.left())
        self.assertEqual(f"csv: {document['folder']}/data.bin", document["use"])
        self.assertEqual(CONTENT, (self.folder.path / "sets/mine/data.bin").read_bytes())
        self.assertIn("already there", self.get().stdout)
        self.assertEqual(1, len(self.server.ranges))

    def test_goes_on_where_the_connection_broke(self):
        self.describe()
        self.server.breaks = 2
        self.get()
        self.assertEqual([None, "bytes=524288-", "bytes=786432-"], self.server.ranges)
        self.assertEqual(CONTENT, (self.folder.path / "sets/mine/data.bin").read_bytes())

    def test_goes_on_in_the_next_try_and_starts_again_without_ranges(self):
        self.describe()
        self.server.breaks = 99
        said = self.get(ok=False)
        self.assertEqual(3, said.returncode)
        self.assertIn("it goes on where it stopped", said.stderr)
        self.assertEqual(["sets/mine.download/.lock", "sets/mine.download/data.bin.part"], self.left())
        self.server.breaks, self.server.has_ranges = 0, False
        self.get()
        self.assertEqual(CONTENT, (self.folder.path / "sets/mine/data.bin").read_bytes())

    def test_what_a_server_says_of_the_length_is_not_believed(self):
        self.describe()
        self.server.lie = 1000  # the bytes are right all the same
        self.get()
        self.assertEqual(CONTENT, (self.folder.path / "sets/mine/data.bin").read_bytes())
        (self.folder.path / "sets/mine/data.bin").unlink()
        (self.folder.path / "sets/mine").rmdir()
        self.server.lie = -1000
        said = self.get(ok=False)
        self.assertEqual(3, said.returncode, said.stderr)
        self.assertEqual([], self.left())

    def test_other_bytes_leave_nothing(self):
        self.describe(content=CONTENT[:-1] + b"x")
        said = self.get(ok=False)
        self.assertEqual(3, said.returncode)
        self.assertIn("other bytes than it should", said.stderr)
        self.assertEqual([], self.left())
        self.assertFalse((self.folder.path / "sets/mine.download").exists())

    def test_unpacks_archives_but_nothing_outside_of_its_folder(self):
        for names, ok in ((["a/b.txt", "./c.txt"], True), (["a.txt", "../../evil.txt"], False)):
            packed = archive(names)
            checksum = "md5:" + hashlib.md5(packed).hexdigest()
            self.describe("set.tar.gz", checksum, packed)
            said = self.get(ok=ok)
            if ok:
                self.assertEqual(["sets/mine/a/b.txt", "sets/mine/c.txt"], self.left())
                (self.folder.path / "sets/mine").rename(self.folder.path / "moved")
        self.assertEqual(3, said.returncode)
        self.assertIn("leads out of its folder", said.stderr)
        self.assertFalse(any(self.folder.path.parent.glob("evil.txt")) or (self.folder.path / "evil.txt").exists())
        self.assertFalse((self.folder.path / "sets/mine").exists())

    def test_a_missing_file_a_cut_archive_and_wrong_descriptions_are_named(self):
        self.describe()
        del self.server.files["data.bin"]
        self.assertIn("the server answered 404", self.get(ok=False).stderr)
        packed = archive(["a.txt"])[:-20]
        self.describe("set.tar.gz", "md5:" + hashlib.md5(packed).hexdigest(), packed)
        self.assertIn("cut short", self.get(ok=False).stderr)
        for text, message in (("files: []", "files"), ("files:\n  - {url: 'http://example.org/x', checksum: "
                              + CHECKSUM + "}", "https://"), ("files:\n  - {url: 'https://e.org/x', checksum: md5:1}",
                              "32 digits"), ("fils: []", "Did you mean 'files'")):
            (self.folder.path / "mine.yaml").write_text(text)
            said = self.get(ok=False)
            self.assertEqual(2, said.returncode, said.stderr)
            self.assertIn(message, said.stderr)

    def test_knows_ten_sets_and_the_nearest_name(self):
        names = [row["name"] for row in json.loads(self.folder.run("data", "get", "--json").stdout)]
        self.assertGreaterEqual(len(names), 10)
        self.assertIn("Did you mean 'fashion_mnist'", self.folder.run("data", "get", "fashionmnist", ok=False).stderr)
        # Without the net, or through a mirror that has nothing: a clear error, and nothing is left.
        said = self.folder.run("data", "get", "mnist", "--to", "sets", "--mirror", self.server.url, ok=False)
        self.assertEqual(3, said.returncode)
        self.assertIn("--mirror", said.stderr)
        self.assertEqual([], list(self.folder.path.glob("sets/*")))


if __name__ == "__main__":
    unittest.main()
