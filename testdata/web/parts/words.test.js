import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf, localeOf } from "../../../assets/web/words.js";
import { compileMessage } from "../../../assets/web/words/message.js";
import { catalogs, loadWords, makeWords, messages } from "../words.js";

const NOW = Date.parse("2026-11-26T12:42:00Z"); // a Thursday
const load = (locale, more = {}) => loadWords({ locale, zone: "Europe/Berlin", now: () => NOW, ...more });
const plain = (text) => text.replace(/[\u202f\u00a0\u2009]/g, " ");

test("no text hides a format or an area", async () => {
	const texts = Object.keys(messages.en.common);
	const formats = Object.keys(makeWords({})).filter((name) => !texts.includes(name));
	assert.ok(formats.includes("relativeDay"));
	for (const area of Object.keys(messages.en)) assert.ok(!texts.includes(area), area);
	assert.equal((await load("de")).list(["A", "B"]), "A und B");
});

test("each text is a text, for any arguments", async () => {
	const values = [undefined, null, "", "sample", 0, 1, 2, 21, 1e9, -1, NaN, true, "task", "end", "DAILY", "{0}", "constructor"];
	for (const language of catalogs.languages) {
		const tools = await load(language);
		for (const [area, texts] of Object.entries(messages[language])) {
			for (const [key, message] of Object.entries(texts)) {
				const text = compileMessage(message, tools);
				for (let i = 0; i < values.length; i++) {
					const got = text(...[0, 1, 2, 3].map((n) => values[(i * (n + 1)) % values.length]));
					assert.equal(typeof got, "string");
					assert.doesNotMatch(got, /undefined|object|null|!|sorry|please|#(?!3b82f6)/i, `${language} ${area} ${key}`);
				}
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
	assert.deepEqual(["de-AT", "en", "fr", undefined, "", "DE"].map((locale) => languageOf(locale, ["en", "de"])), ["de", "en", "en", "en", "en", "de"]);
	const words = await load("not a locale", { zone: "Mars/Olympus" });
	assert.equal(words.zone, "UTC");
	assert.equal(words.language, "en");
	assert.equal((await load("fr")).save(), "Save");
});

test("names of days are in the language of the texts, and formats have the region of the member or the browser", () => {
	for (const [locale, formats, accepted, want] of [
		["en", null, ["de-DE", "en-GB", "en-US"], "en-GB"], ["de", null, ["en-US"], "de"], ["en-US", null, ["en-GB"], "en-US"], ["de", "de-AT", ["de-DE"], "de-AT"],
		["en", "de-AT", [], "en-AT"], ["fr", null, ["fr-FR", "en-IE"], "en-IE"], ["fr-CA", null, [], "en-CA"], ["en-US", "en-GB", [], "en-GB"], ["en", "no locale", [], "en"],
		[undefined, undefined, undefined, "en"],
	]) assert.equal(localeOf({ locale, formats }, ["en", "de"], accepted), want, `${locale} ${formats} ${accepted}`);
	const clock = (member) => makeWords({ locale: localeOf(member, ["en", "de"]), zone: "UTC" }).clock("18:00");
	assert.equal(clock({ locale: "en", formats: "en-GB" }), "18:00");
	assert.equal(plain(clock({ locale: "en", formats: "en-US" })), "6:00 PM");
	assert.equal(makeWords({ locale: "en-DE" }).number(1234.5), "1.234,5");
});

test("German ranges show times like all other texts", async () => {
	const words = await loadWords({ language: "de", locale: "de-DE", zone: "Europe/Berlin", now: () => Date.parse("2026-12-01T12:00:00Z") });
	assert.equal(words.range("2026-12-04T17:00:00Z", "2026-12-04T21:00:00Z"), "Fr., 4. Dez., 18:00–22:00");
	assert.equal(words.range("2026-12-04T21:40:00Z", "2026-12-05T06:15:00Z").includes("Uhr"), false);
});
