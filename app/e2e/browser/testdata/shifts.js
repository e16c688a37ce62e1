// Records shifts of the layout that follow no input, later than a second after the first paint
// of content: takeShifts returns them as texts and forgets them. A notice above all views may
// move the content a little. isLoading reports whether a part on the screen is still loading.
{
	const shifts = [];
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
	const name = ({ node, previousRect, currentRect }) => `${node?.className || node?.nodeName || "?"} from ${box(previousRect)} to ${box(currentRect)}`;
	const firstPaint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity;
	const countNotices = () => document.querySelector(".frame-notes")?.childElementCount ?? 0;
	let notices = 0;
	const add = (entries) => {
		const hadNotices = notices;
		notices = countNotices();
		const least = notices === hadNotices ? 0.005 : 0.03;
		for (const entry of entries) {
			if (entry.hadRecentInput || entry.startTime < firstPaint() + 1000 || entry.value < least) continue;
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
