import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../assets/web", import.meta.url));

// importsOf returns the paths of the modules that a module imports.
function importsOf(path) {
	const text = readFileSync(join(root, path), "utf8");
	return [...text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)";/gm)].map(([, from]) => normalize(join(dirname(path), from)));
}

test("no module imports itself through others", () => {
	const modules = new Map(readdirSync(root, { recursive: true }).filter((path) => path.endsWith(".js")).map((path) => [path, importsOf(path)]));
	assert.ok(modules.size > 150 && modules.get("read/read.js").length > 5);
	const done = new Set();
	function visit(path, above) {
		assert.ok(!above.includes(path), [...above.slice(above.indexOf(path)), path].join(" → "));
		if (done.has(path)) return;
		for (const imported of modules.get(path) ?? []) visit(imported, [...above, path]);
		done.add(path);
	}
	for (const path of modules.keys()) visit(path, []);
});
