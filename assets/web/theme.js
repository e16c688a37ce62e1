// The appearance that the member has chosen for this device, before the first paint: "light" or
// "dark". Without a choice, it is that of the system.
{
	const theme = localStorage.getItem("theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
