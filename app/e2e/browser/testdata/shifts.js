// Records shifts of the layout that follow no input, later than a second after the first paint
// of content, or later on a slow machine: takeShifts returns them as texts and forgets them. In a
// document that has shown a notice above all views, shifts by the height of one are permitted.
// isLoading reports whether a part on the screen is still loading.
{
	const shifts = [];
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
	const name = ({ node, previousRect, currentRect }) => `${node?.className || node?.nodeName || "?"} from ${box(previousRect)} to ${box(currentRect)}`;
	const firstPaint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity;
	// A machine that needs long for the first paint needs long for all that follows.
	const start = () => firstPaint() + Math.max(1000, 5 * firstPaint());
	let hadNotice = false;
	new MutationObserver((changes) => {
		hadNotice ||= changes.some(({ target }) => target.className === "frame-notes");
	}).observe(document, { childList: true, subtree: true });
	const add = (entries) => {
		const least = hadNotice ? 0.07 : 0.005;
		for (const entry of entries) {
			if (entry.hadRecentInput || entry.startTime < start() || entry.value < least) continue;
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
