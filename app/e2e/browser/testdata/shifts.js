// Records layout shifts that follow no input and happen after the page has loaded: at least a
// second after the first contentful paint, and later on a slow machine. takeShifts returns the
// recorded shifts as texts and clears them. Shifts by the height of a notice above all views are not
// recorded. isLoading reports whether a visible part of the page is still loading.
{
	const shifts = [];
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
	const name = ({ node, previousRect, currentRect }) => `${node?.className || node?.nodeName || "?"} from ${box(previousRect)} to ${box(currentRect)}`;
	const firstPaint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity;
	// The grace period grows with the time of the first paint, which is long on a slow machine.
	const start = () => firstPaint() + Math.max(1000, 5 * firstPaint());
	const heights = []; // changes of the height of the notices, in CSS pixels
	let height = 0;
	new MutationObserver((changes) => {
		const place = changes.find(({ target }) => target.className === "frame-notes")?.target;
		if (!place) return;
		heights.push(Math.abs(place.offsetHeight - height));
		height = place.offsetHeight;
	}).observe(document, { childList: true, subtree: true });
	const isOfNotice = ({ sources }) => heights.some((by) => sources.every(({ previousRect: from, currentRect: to }) => Math.abs(Math.abs(to.y - from.y) - by) <= 1));
	const add = (entries) => {
		for (const entry of entries) {
			if (entry.hadRecentInput || entry.startTime < start() || entry.value < 0.005 || isOfNotice(entry)) continue;
			shifts.push(`by ${entry.value.toFixed(3)} after ${Math.round(entry.startTime)} ms: ${entry.sources.map(name).join(", ")}`);
		}
	};
	const observer = new PerformanceObserver((list) => add(list.getEntries()));
	observer.observe({ type: "layout-shift", buffered: true });
	globalThis.takeShifts = () => {
		const entries = observer.takeRecords();
		if (entries.length > 0) add(entries);
		return shifts.splice(0);
	};
	globalThis.isLoading = () => [...document.querySelectorAll("[aria-busy=true]:not(button), .skel")].some((e) => {
		const { top, bottom } = e.getBoundingClientRect();
		return e.checkVisibility() && top < innerHeight && bottom > 0;
	});
}
