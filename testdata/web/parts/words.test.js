import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, languageOf, loadWords, makeWords, withRegion } from "../../../assets/web/words.js";

const NOW = Date.parse("2026-11-26T12:42:00Z"); // a Thursday
const load = (locale, more = {}) => loadWords({ locale, zone: "Europe/Berlin", now: () => NOW, ...more });
const plain = (text) => text.replace(/[\u202f\u00a0\u2009]/g, " ");

// recorder returns the functions of a catalog.
async function functionsOf(language) {
	const { catalog } = await import(`../../../assets/web/words/${language}.js`);
	return catalog({ ...(await load(language)) });
}

test("all languages have the same keys with the same parameters", async () => {
	const [english, ...others] = await Promise.all(LANGUAGES.map(functionsOf));
	const parameters = (fn) => /^\(?([^)=]*)\)?\s*=>/.exec(fn.toString())[1];
	for (const other of others) {
		assert.deepEqual(Object.keys(other), Object.keys(english));
		for (const key of Object.keys(english)) assert.equal(parameters(other[key]), parameters(english[key]), key);
	}
});

test("all languages have the same parts, with the same texts and parameters", async () => {
	const directory = new URL("../../../assets/web/words/", import.meta.url);
	const [english, ...others] = LANGUAGES.map((language) => readdirSync(new URL(`${language}/`, directory)).sort());
	for (const names of others) assert.deepEqual(names, english);
	const core = await functionsOf("en");
	for (const name of english) {
		const parts = await Promise.all(LANGUAGES.map(async (language) => (await import(new URL(`${language}/${name}`, directory))).catalog(await load(language))));
		assert.ok(!(name.replace(".js", "") in core), `${name} has the name of a text`);
		for (const part of parts) {
			assert.deepEqual(Object.keys(part), Object.keys(parts[0]), name);
			for (const key of Object.keys(part)) assert.equal(part[key].length, parts[0][key].length, `${name} ${key}`);
		}
	}
});

test("no text hides a format", async () => {
	const formats = Object.keys(makeWords(() => ({}), {}));
	for (const key of Object.keys(await functionsOf("en"))) assert.ok(!formats.includes(key), key);
});

test("each text is a text, for each count", async () => {
	const samples = { count: [0, 1, 2, 21, 100], interval: [1, 2], freq: ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"], types: [["PNG", "JPEG"]], days: [["3 Dec"]], weekdays: [["Monday"]], nth: [1, 2, 5, -1], date: [1, 2, 3, 11, 22], name: ["daily", "weekdays", "weekly", "fortnightly", "monthly", "monthly_nth", "yearly"], max: [3], excess: [1] };
	for (const language of LANGUAGES) {
		for (const [key, fn] of Object.entries(await functionsOf(language))) {
			const names = /^\(?([^)=]*)\)?\s*=>/.exec(fn.toString())[1].split(",").map((name) => name.trim()).filter(Boolean);
			for (let i = 0; i < 7; i++) {
				const text = fn(...names.map((name) => (samples[name] ?? ["sample"])[i % (samples[name] ?? [0]).length]));
				assert.equal(typeof text, "string", `${language} ${key}`);
				assert.doesNotMatch(text, /undefined|NaN|object|null|!|sorry|please/i, `${language} ${key}`);
			}
		}
	}
});

test("plurals and lists", async () => {
	const [en, de] = [await load("en-GB"), await load("de")];
	assert.deepEqual([en.charactersLeft(1), en.charactersLeft(1200), de.charactersLeft(1200)], ["1 character left", "1,200 characters left", "Noch 1.200 Zeichen"]);
	assert.equal(en.list(["A", "B", "C"]), "A, B and C");
	assert.equal(de.list(["A", "B", "C"]), "A, B und C");
	assert.deepEqual([90, 60, 1, 1440, 10080, 0].map((n) => en.minutes(n)), ["1 hour 30 minutes", "1 hour", "1 minute", "1 day", "1 week", "0 minutes"]);
	assert.deepEqual([1, 2, 3, 11, 22].map((n) => en.repeatOnDate(n)), ["on the 1st", "on the 2nd", "on the 3rd", "on the 11th", "on the 22nd"]);
});

test("the places of an event in words", async () => {
	const texts = async (locale) => {
		const { social } = await loadWords({ locale, zone: "UTC", areas: ["social"] });
		return [[3, 5], [4, 5], [5, 5], [6, 5], [0, 1], [1, 1]].map(([taken, capacity]) => social.places(taken, capacity));
	};
	assert.deepEqual(await texts("en-GB"), [
		"2 of 5 places are free", "1 of 5 places is free", "All 5 places are taken", "All 5 places are taken", "1 of 1 places is free",
		"The only place is taken",
	]);
	assert.deepEqual(await texts("de"), [
		"2 von 5 Plätzen sind frei", "1 von 5 Plätzen ist frei", "Alle 5 Plätze sind vergeben", "Alle 5 Plätze sind vergeben",
		"1 von 1 Plätzen ist frei", "Der einzige Platz ist vergeben",
	]);
});

test("a short time depends on how far it is away", async () => {
	const [en, de] = [await load("en-GB"), await load("de-DE")];
	for (const [instant, english, german] of [
		["2026-11-26T12:42:00Z", "13:42", "13:42"], ["2026-11-25T08:00:00Z", "Wed", "Mi"], ["2026-11-25T23:30:00Z", "00:30", "00:30"], ["2026-11-29T22:00:00Z", "Sun", "So"], ["2026-11-22T08:00:00Z", "22 Nov", "22. Nov."], ["2026-11-30T08:00:00Z", "30 Nov", "30. Nov."], ["2025-11-14T08:00:00Z", "14 Nov 2025", "14. Nov. 2025"],
	]) {
		assert.equal(en.when(instant), english);
		assert.equal(de.when(instant), german);
	}
	assert.equal((await load("en-GB", { zone: "America/New_York" })).when("2026-11-26T04:30:00Z"), "Wed");
});

test("ranges name another zone", async () => {
	const en = await load("en-GB");
	assert.equal(plain(en.range("2026-11-26T18:00:00Z", "2026-11-26T19:30:00Z")), "Thu 26 Nov, 19:00–20:30".replace("Thu 26", plain(en.range("2026-11-26T18:00:00Z", "2026-11-26T19:30:00Z")).startsWith("Thu,") ? "Thu, 26" : "Thu 26"));
	assert.match(plain(en.range("2026-11-26T18:00:00Z", "2026-11-26T19:30:00Z", "America/New_York")), /13:00.*14:30.*\(America\/New York, GMT-5\)$/);
	assert.match(plain(en.range("2027-01-02T18:00:00Z", "2027-01-02T19:30:00Z")), /2027/);
	assert.equal(en.dayRange("2026-11-26", "2026-11-26").replace(",", ""), "Thu 26 Nov");
	assert.match(en.dayRange("2026-11-26", "2026-12-03"), /26 Nov.*3 Dec/);
});

test("days in words", async () => {
	const [en, de] = [await load("en-GB"), await load("de")];
	assert.deepEqual(["2026-11-25", "2026-11-26", "2026-11-27"].map(en.relativeDay), ["Yesterday", "Today", "Tomorrow"]);
	assert.deepEqual(["2026-11-26", "2026-11-28"].map(de.relativeDay), ["Heute", "Samstag, 28. November"]);
	assert.equal(de.weekday(1), "Montag");
	assert.equal(en.weekday(7, "short"), "Sun");
	assert.equal(en.clock("09:30"), "09:30");
	assert.equal(plain((await load("en-US")).clock("21:30")), "9:30 PM");
	assert.equal(en.bytes(10 << 20), "10 MB");
	assert.equal(en.bytes(1), "1 byte");
});

test("unknown locales and zones have a replacement", async () => {
	assert.deepEqual(["de-AT", "en", "fr", undefined, "", "DE"].map(languageOf), ["de", "en", "en", "en", "en", "de"]);
	const words = await load("not a locale", { zone: "Mars/Olympus" });
	assert.equal(words.zone, "UTC");
	assert.equal(words.language, "en");
	assert.equal((await load("fr")).save(), "Save");
	assert.equal((await load("fr")).weekday(1), "lundi");
});

test("a locale without a region takes that of the browser, if the browser has its language", () => {
	assert.equal(withRegion("en", ["de-DE", "en-GB", "en-US"]), "en-GB");
	assert.equal(withRegion("de", ["en-US"]), "de");
	assert.equal(withRegion("en-US", ["en-GB"]), "en-US");
	assert.equal(withRegion(undefined, ["en-GB"]), undefined);
	const clock = (locale) => makeWords(() => ({}), { locale, zone: "UTC" }).clock("18:00");
	assert.equal(clock(withRegion("en", ["en-GB"])), "18:00");
});
