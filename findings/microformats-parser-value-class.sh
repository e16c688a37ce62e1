#!/bin/sh
# microformats-parser turns 12:15am into 12:15 and 12:15pm into 24:15, and takes the text of a date in place of the date, when
# an event has its date and its time in separate elements (the value class pattern).
#
# Seen with microformats-parser 2.0.6 (Node 20), the start of an h-event:
#   2026-01-05, 12:15am -> 2026-01-05 12:15
#   2026-01-05, 12:15pm -> 2026-01-05 24:15
#   2026-01-05, 3:30 p.m. -> 2026-01-05 3:30 P.M.
#   <abbr title=2026-01-05>, 15:30 -> MONDAY 15:30
#   <data value=2026-01-05>, 15:30 -> MONDAY 15:30
#   <time datetime=2026-01-05>, 15:30 -> 2026-01-05 15:30
# The pattern defines the values as 00:15, 12:15, 15:30 and, of abbr and data, the attributes title and value; a.m. and p.m.
# may have points. Only time elements and the hours from 1 to 11 are read as defined.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund microformats-parser@2.0.6 >&2
cat >seen.mjs <<'END'
import { mf2 } from "microformats-parser";

const value = (text) => `<span class="value">${text}</span>`;
for (const [name, date, time] of [
	["2026-01-05", value("2026-01-05"), "12:15am"],
	["2026-01-05", value("2026-01-05"), "12:15pm"],
	["2026-01-05", value("2026-01-05"), "3:30 p.m."],
	["<abbr title=2026-01-05>", '<abbr class="value" title="2026-01-05">Monday</abbr>', "15:30"],
	["<data value=2026-01-05>", '<data class="value" value="2026-01-05">Monday</data>', "15:30"],
	["<time datetime=2026-01-05>", '<time class="value" datetime="2026-01-05">Monday</time>', "15:30"],
]) {
	const html = `<div class="h-event"><span class="p-name">Tea</span> <span class="dt-start">${date}, ${value(time)}</span></div>`;
	console.log(`${name}, ${time} -> ${mf2(html, { baseUrl: "https://example.com/" }).items[0].properties.start[0]}`);
}
END
node seen.mjs | tee seen
cat >want <<'END'
2026-01-05, 12:15am -> 2026-01-05 12:15
2026-01-05, 12:15pm -> 2026-01-05 24:15
2026-01-05, 3:30 p.m. -> 2026-01-05 3:30 P.M.
<abbr title=2026-01-05>, 15:30 -> MONDAY 15:30
<data value=2026-01-05>, 15:30 -> MONDAY 15:30
<time datetime=2026-01-05>, 15:30 -> 2026-01-05 15:30
END
diff want seen
