"""Reads TensorBoard's event files from their published format alone: TFRecord framing with masked CRC32C, protobuf."""
import struct


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _crc_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data, may_be_torn=False):
    """The payloads of a file; a wrong CRC is an error, and so is a last record that is not whole, unless it may be."""
    at = 0
    while at < len(data):
        if may_be_torn and len(data) - at < 12:
            return
        length, crc = struct.unpack_from("<QI", data, at)
        assert crc == masked_crc(data[at:at + 8]), f"the CRC of the length at byte {at}"
        if may_be_torn and at + 12 + length + 4 > len(data):
            return
        payload = data[at + 12:at + 12 + length]
        assert struct.unpack_from("<I", data, at + 12 + length)[0] == masked_crc(payload), f"the CRC at byte {at}"
        yield payload
        at += 12 + length + 4


def fields(message):
    """(number, value) of each field: an int for a varint, bytes for all else."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        wire = tag & 7
        if wire == 0:
            yield tag >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(wire) or varint()
            assert wire in (1, 2, 5), f"the wire type {wire}"
            assert at + size <= len(message), "a field ends beyond its message"
            yield tag >> 3, message[at:at + size]
            at += size


def first(message, number, default=b""):
    return next((value for found, value in fields(message) if found == number), default)


def every(message, number):
    return [value for found, value in fields(message) if found == number]


def doubles(packed):
    return list(struct.unpack(f"<{len(packed) // 8}d", packed))


class Board:
    """What TensorBoard would hold after reading files one after another, restarts included."""

    def __init__(self):
        self.scalars, self.histograms, self.images, self.texts = {}, {}, {}, {}
        self.graph, self.hparams, self.status = None, {}, None

    def read(self, data, may_be_torn=False):
        versions = 0
        for event in records(data, may_be_torn):
            step = first(event, 2, 0)
            if version := first(event, 3):
                assert version == b"brain.Event:2"
                versions += 1
            if (session := first(event, 7)) and first(session, 1) == 1:
                for kept in (self.scalars, self.histograms, self.images, self.texts):
                    for tag in list(kept):
                        kept[tag] = [point for point in kept[tag] if point[0] < step]
                        if not kept[tag]:
                            del kept[tag]
            if graph := first(event, 4):
                self.graph = [{"name": first(node, 1).decode(), "op": first(node, 2).decode(),
                               "inputs": [name.decode() for name in every(node, 3)]} for node in every(graph, 1)]
            for value in every(first(event, 5), 1):
                self._take(step, value)
        assert versions == 1, "a file says its version once"
        return self

    def _take(self, step, value):
        tag = first(value, 1).decode()
        if simple := first(value, 2):
            self.scalars.setdefault(tag, []).append((step, struct.unpack("<f", simple)[0]))
        if histogram := first(value, 5):
            limits, counts = doubles(first(histogram, 6)), doubles(first(histogram, 7))
            assert len(limits) == len(counts) and limits == sorted(limits)
            assert sum(counts) == struct.unpack("<d", first(histogram, 3))[0]
            self.histograms.setdefault(tag, []).append((step, counts))
        if image := first(value, 4):
            self.images.setdefault(tag, []).append((step, first(image, 1), first(image, 2), first(image, 4)))
        plugin = first(first(value, 9), 1)
        if first(plugin, 1) == b"text":
            self.texts.setdefault(tag, []).append((step, first(first(value, 8), 8).decode()))
        if first(plugin, 1) == b"hparams":
            content = first(plugin, 2)
            for pair in every(first(content, 3), 1):
                self.hparams[first(pair, 1).decode()] = self._plain(first(pair, 2))
            if end := first(content, 4):
                self.status = first(end, 1)

    @staticmethod
    def _plain(value):
        for number, content in fields(value):
            return {2: lambda: struct.unpack("<d", content)[0], 3: lambda: content.decode(),
                    4: lambda: bool(content)}[number]()
        return None
