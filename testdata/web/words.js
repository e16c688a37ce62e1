// The catalogs of the app for tests, read from their files.

import { readdirSync, readFileSync } from "node:fs";
import { loadWords as loadWordsFrom, makeWords as makeWordsOf } from "../../assets/web/words.js";

const directory = new URL("../../assets/words/", import.meta.url);
const files = readdirSync(directory).map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, directory), "utf8")).app]);
export const messages = Object.fromEntries(files); // by language, area and key

export const catalogs = {
	languages: ["en", ...Object.keys(messages).filter((language) => language !== "en")],
	read: async (language, area) => messages[language][area],
};

// loadWords is loadWords of words.js with these catalogs, and makeWords is makeWords with the English texts.
export const loadWords = (options) => loadWordsFrom({ catalogs, ...options });
export const makeWords = (options) => makeWordsOf(messages.en.common, options);
