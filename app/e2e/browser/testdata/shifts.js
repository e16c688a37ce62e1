// Records shifts of the layout that follow no input, later than a second after the first paint
// of content, or later on a slow machine: takeShifts returns them as texts and forgets them. A notice
// above all views may move the content by its height. isLoading reports whether a part on the screen
// is still loading.
{
	const shifts = [];
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
	const name = ({ node, previousRect, currentRect }) => `${node?.className || node?.nodeName || "?"} from ${box(previousRect)} to ${box(currentRect)}`;
	const firstPaint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity;
	// A machine that needs long for the first paint needs long for all that follows.
	const start = () => firstPaint() + Math.max(1000, 5 * firstPaint());
	const heights = []; // by how much notices have changed the height of their place
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
