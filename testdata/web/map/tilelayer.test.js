import assert from "node:assert/strict";
import { test } from "node:test";
import { TileLayer } from "../../../assets/web/map/tilelayer.js";
import { atEnd, openPage } from "../dom.js";

const camera = { x: 128, y: 128, zoom: 2 };
const size = { width: 512, height: 512 };

// setUp returns a TileLayer at rest whose images are loaded while server.isUp is true, and the URLs of the requests.
function setUp(t) {
	const document = openPage();
	t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
	const server = { isUp: false };
	const urls = [];
	const { createElement } = document;
	document.createElement = (name) => Object.assign(createElement(name), {
		decode() {
			urls.push(this.src);
			return server.isUp ? Promise.resolve() : Promise.reject(new Error("not reached"));
		},
	});
	const tiles = new TileLayer((path) => path, () => tiles.place(camera, size, true));
	atEnd(() => tiles.destroy());
	tiles.setLayer({ url_template: "/{z}/{x}/{y}.png" });
	tiles.place(camera, size, true);
	const wait = async (time) => {
		t.mock.timers.tick(time);
		for (let i = 0; i < 20; i++) await null; // the promises of the images
	};
	return { tiles, server, urls, wait };
}

test("failed tiles are loaded again while the map is at rest", async (t) => {
	const { tiles, server, urls, wait } = setUp(t);
	await wait(0);
	assert.equal(urls.length, 24, "the visible tiles and those around them");
	assert.equal(tiles.hasNoTiles, true);
	server.isUp = true;
	await wait(9_000);
	assert.equal(urls.length, 24);
	await wait(1_000);
	assert.equal(urls.length, 48);
	assert.equal(tiles.hasNoTiles, false);
	await wait(600_000);
	assert.equal(urls.length, 48, "loaded tiles are not requested again");
});

test("tiles that always fail are requested less and less often", async (t) => {
	const { urls, wait } = setUp(t);
	await wait(0);
	for (const [time, want] of [[10_000, 48], [19_000, 48], [1_000, 72], [39_000, 72], [1_000, 96]]) {
		await wait(time);
		assert.equal(urls.length, want);
	}
});

test("a destroyed map requests no tiles", async (t) => {
	const { tiles, urls, wait } = setUp(t);
	await wait(0);
	tiles.destroy();
	await wait(600_000);
	assert.equal(urls.length, 24);
});
