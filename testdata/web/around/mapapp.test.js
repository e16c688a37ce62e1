import assert from "node:assert/strict";
import { test } from "node:test";
import { mapAppURL } from "../../../assets/web/around/mapapp.js";

const cafe = { latitude: 35.8989, longitude: -14.5146, title: "Café (old) & Co" };

test("a place has the address of the map app of the device", () => {
	assert.equal(mapAppURL(cafe, "Linux armv8l"), "geo:35.8989,-14.5146?q=35.8989,-14.5146(Caf%C3%A9%20%28old%29%20%26%20Co)");
	assert.equal(mapAppURL(cafe, "iPhone"), "maps:?ll=35.8989,-14.5146&q=Caf%C3%A9%20%28old%29%20%26%20Co");
	assert.equal(mapAppURL(cafe, "MacIntel"), mapAppURL(cafe, "iPhone"));
});

test("a place without a name is a position", () => {
	assert.equal(mapAppURL({ ...cafe, title: "" }, "Win32"), "geo:35.8989,-14.5146?q=35.8989,-14.5146");
});
