// Expands calendar objects with ical.js, whose module is the first argument.
//
// Reads a JSON list of [text, until] from standard input, where until is in seconds since 1970.
// Prints the JSON list of the starts of each object in seconds since 1970, or null for an object
// that the library does not read.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const ICAL = (await import(pathToFileURL(process.argv[2]))).default;

function expand([text, until]) {
	try {
		const calendar = new ICAL.Component(ICAL.parse(text));
		const component = calendar.getFirstSubcomponent("vevent") ?? calendar.getFirstSubcomponent("vtodo");
		const expansion = new ICAL.RecurExpansion({ component, dtstart: component.getFirstPropertyValue("dtstart") });
		const starts = new Set();
		for (let count = 0; count < 1000; count++) {
			const next = expansion.next();
			if (!next || next.toUnixTime() > until) break;
			starts.add(next.toUnixTime());
		}
		return [...starts].sort((a, b) => a - b);
	} catch {
		return null;
	}
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(expand)));
