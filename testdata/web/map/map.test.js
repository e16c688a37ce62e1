import assert from "node:assert/strict";
import { test } from "node:test";
import { MapView } from "../../../assets/web/map/map.js";
import { atEnd, openPage } from "../dom.js";

// setUp returns a map of 800 × 600 pixels without tiles. rest() draws until the map is at rest.
function setUp(t, { ratio = 1, ...options } = {}) {
	const document = openPage();
	let frames = [];
	const drawFrame = (time) => frames.splice(0).forEach((draw) => draw(time));
	Object.assign(globalThis, {
		devicePixelRatio: ratio, requestAnimationFrame: (draw) => frames.push(draw), cancelAnimationFrame: () => (frames = []),
	});
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const container = Object.assign(document.createElement("div"), { clientWidth: 800, clientHeight: 600 });
	document.body.append(container);
	const text = () => "";
	const map = new MapView(container, {
		words: { map: text, zoomIn: text, zoomOut: text, here: text, cluster: String, number: String, distance: String },
		icon: (name) => name, viewport: { center: { latitude: 52, longitude: 13 }, zoom: 18 }, ...options,
	});
	atEnd(() => map.destroy());
	let time = 0;
	const rest = () => {
		for (let i = 0; i < 40; i++) drawFrame((time += 50));
		t.mock.timers.tick(150);
		drawFrame((time += 50));
	};
	rest();
	const [zoomIn, zoomOut] = map.tools.querySelectorAll("button");
	return { document, container, map, zoomIn, zoomOut, rest };
}

test("the buttons reach the highest zoom of a page that the browser scales", (t) => {
	for (const ratio of [0.9, 1.1]) {
		const { map, zoomIn, zoomOut, rest } = setUp(t, { ratio });
		assert.equal(zoomIn.getAttribute("aria-disabled"), "false");
		zoomIn.click();
		rest();
		assert.equal(Math.floor(map.view.zoom), 19, `ratio ${ratio}`);
		assert.equal(zoomIn.getAttribute("aria-disabled"), "true", `ratio ${ratio}`);
		assert.equal(map.canZoomIn, false);
		zoomOut.click();
		rest();
		assert.equal(Math.floor(map.view.zoom), 18, `ratio ${ratio}`);
		t.mock.timers.reset();
	}
});

test("the mark of an area reports itself at the highest zoom, where the map cannot zoom in", (t) => {
	const chosen = [];
	const { map, container, zoomIn, rest } = setUp(t, { onChoose: ({ id }) => chosen.push(id) });
	const bounds = { south: 51.995, west: 12.995, north: 52.005, east: 13.005 };
	map.setMarks([{ id: "area", label: "places", icon: "pin", latitude: 52, longitude: 13, count: 300, bounds }]);
	rest();
	container.querySelector(".mk-group").click();
	rest();
	assert.deepEqual(chosen, []);
	assert.equal(map.view.zoom, 19, "a zoom below the highest one is increased");
	container.querySelector(".mk-group").click();
	assert.deepEqual(chosen, ["area"]);
	assert.equal(zoomIn.getAttribute("aria-disabled"), "true");
});
