// German texts of the settings.

// catalog returns words.settings as functions that return texts, see loadWords in words.js. Days and
// times are passed as texts.
export const catalog = () => ({
	you: () => "Du",
	operator: () => "Betreiber",

	// Account
	seen: () => "Wie andere dich sehen",
	openProfile: () => "Profil öffnen",
	picture: () => "Bild",
	pictureHint: () => "Sichtbar für Mitglieder, die dein Profil sehen können.",
	signIn: () => "Anmeldung",
	signInLead: () => "Du kannst dich mit beidem anmelden. Eine Änderung braucht dein Passwort.",
	yourPassword: () => "Dein Passwort",
	passwordChanged: () => "Das Passwort ist geändert.",

	// Sessions
	whereSignedIn: () => "Wo du angemeldet bist",
	sessionsLead: () => "Melde Browser ab, die du nicht mehr benutzt.",
	since: (time) => `seit ${time}`,
	used: (time) => `benutzt: ${time}`,
	neverUsed: () => "nie benutzt",
	here: () => "dieses hier",
	signedOut: (name) => `${name} ist abgemeldet.`,
	signedOutOthers: () => "Alle anderen sind abgemeldet.",

	// Appearance
	look: () => "Auf diesem Gerät",
	lookLead: () => "Das gilt nur für diesen Browser. Die Textgröße stellst du im Browser ein.",
	colors: () => "Farben",
	theme: (name) => ({ system: "Wie das Gerät", light: "Hell", dark: "Dunkel" })[name] ?? name,
	shortcutsHint: () => "Drücke ?, um alle zu sehen.",
	languageLead: () => "Auf allen deinen Geräten. Nach einer Änderung lädt die Seite neu.",
	daysLead: () => "Wie Tage und Wochen in deinem Kalender beginnen.",
	dayHint: () => "Stunden, die die Ansichten Tag und Woche zuerst zeigen.",

	// Calendars
	calendarZoneHint: () => "Leer: die Zeitzone deines Kontos.",
	calendarsLead: () => "Ihre Reihenfolge, und welche der Kalender zeigt.",
	visible: () => "Im Kalender anzeigen",
	visibleOf: (name) => `${name} im Kalender anzeigen`,
	earlier: () => "Nach oben",
	later: () => "Nach unten",
	address: () => "Adresse für andere Programme",
	addressText: () => "Manche Kalenderprogramme fragen nach der Adresse eines einzelnen Kalenders. Das Passwort ist das eines Geräts.",
	caldavAddress: () => "CalDAV-Adresse",
	feedTitle: (name) => `Link zu ${name}`,
	feedHint: () => "Private Einträge fehlen, vertrauliche erscheinen als beschäftigt. Erinnerungen, Anhänge und Gäste werden nie "
		+ "gezeigt.",
	feedText: (shown) => `Alle mit diesem Link können den Kalender lesen, ohne Konto. Er zeigt: ${shown}.`,
	feedEnds: () => "Jeder Kalender hat einen Link. Der bisherige funktioniert für niemanden mehr, sobald du einen neuen erstellst.",
	link: () => "Link",
	stopped: (name) => `Der Link zu ${name} funktioniert nicht mehr.`,
	importedInto: (name) => `Import in ${name}`,
	notImported: () => "Nicht importiert",
	fileLine: (line) => `Zeile ${line}`,
	moreRefused: (count) => `Weitere Einträge, die nicht importiert wurden: ${count}`,
	inTrash: (name) => `${name} ist im Papierkorb.`,
	restored: (name) => `${name} ist wiederhergestellt.`,

	// Devices
	connect: () => "Kalender auf Telefon oder Rechner",
	connectLead: () => "Du kannst deine Kalender im Kalenderprogramm des Geräts benutzen. "
		+ "Änderungen werden in beide Richtungen synchronisiert.",
	deviceKind: () => "Gerät",
	platform: (name) => ({ iphone: "iPhone", mac: "Mac", android: "Android", other: "Anderes" })[name] ?? name,
	showLink: () => "Link erstellen",
	linkOver: () => "Der letzte Link wurde verwendet oder ist abgelaufen.",
	// linkSteps returns the steps to set up a device with a link.
	linkSteps: (platform) => ({
		iphone: [
			"Erstelle den Link. Er gilt einmal, zehn Minuten lang.",
			"Scanne den Code mit der Kamera des iPhones, oder öffne den Link dort.",
			"Wähle das Profil und installiere es in den Einstellungen.",
			"Das iPhone hat ein eigenes Passwort, das du unten entfernen kannst.",
		],
		mac: [
			"Erstelle den Link. Er gilt einmal, zehn Minuten lang.",
			"Öffne den Link auf dem Mac.",
			"Wähle das Profil, öffne es und installiere es in den Systemeinstellungen.",
			"Der Mac hat ein eigenes Passwort, das du unten entfernen kannst.",
		],
		android: [
			"Installiere eine App, die CalDAV unterstützt, etwa DAVx⁵.",
			"Erstelle den Link. Er gilt einmal, zehn Minuten lang.",
			"Scanne den Code mit dem Telefon, oder öffne den Link dort. Er zeigt eine Adresse, einen Benutzernamen und ein Passwort.",
			"Gib sie in der App ein: Anmeldung mit URL und Benutzername.",
		],
	})[platform] ?? [],
	// manualSteps returns the steps to set up a device without a link.
	manualSteps: (platform) => ({
		iphone: [
			"Erstelle ein Gerätepasswort.",
			"Öffne auf dem iPhone Einstellungen, Apps, Kalender, Kalenderaccounts, und füge einen Account hinzu: Andere, CalDAV.",
			"Gib Server, Benutzername und Gerätepasswort ein.",
		],
		mac: [
			"Erstelle ein Gerätepasswort.",
			"Öffne auf dem Mac Kalender, Einstellungen, Accounts, und füge einen Account hinzu: Anderer CalDAV-Account, Manuell.",
			"Gib Server, Benutzername und Gerätepasswort ein.",
		],
		android: [
			"Erstelle ein Gerätepasswort.",
			"Installiere eine App, die CalDAV unterstützt, etwa DAVx⁵, und füge ein Konto hinzu: Anmeldung mit URL und Benutzername.",
			"Gib Server, Benutzername und Gerätepasswort ein.",
		],
	})[platform] ?? [
		"Erstelle ein Gerätepasswort.",
		"Thunderbird: Neuer Kalender, Im Netzwerk. GNOME: Einstellungen, Online-Konten, WebDAV. Andere: ein CalDAV-Konto hinzufügen.",
		"Gib Server, Benutzername und Gerätepasswort ein.",
	],
	needsHTTPS: () => "Der Link zum Einrichten braucht HTTPS",
	needsHTTPSText: () => "Ein Link, der ein Gerät einrichtet, funktioniert nur, wenn die Adresse dieses Servers mit https beginnt. "
		+ "Der Betreiber kann das einrichten. Bis dahin gib das Konto von Hand ein.",
	qrLabel: () => "Code mit dem Link, zum Scannen mit dem Gerät",
	openHere: () => "Dieses Gerät einrichten",
	goodUntil: (time) => `gilt einmal, bis ${time}`,
	onlyLocal: () => "Dieser Link funktioniert nur auf dem Rechner des Servers, weil der Server noch keine eigene Adresse hat. "
		+ "Setze base-url in appliance.toml, in seinem Datenverzeichnis, und starte ihn neu.",
	devicesLead: () => "Jedes Gerät hat ein eigenes Passwort. Geht eins verloren, entferne sein Passwort.",
	deviceHint: () => "Zum Beispiel: Beas Telefon",
	created: (time) => `erstellt: ${time}`,
	create: () => "Erstellen",
	deviceRemoved: (name) => `${name} kann sich nicht mehr anmelden.`,
	passwordOf: (name) => `Passwort von ${name}`,
	passwordText: () => "Gib das im Kalenderprogramm des Geräts ein.",
	password: () => "Passwort",
	userName: () => "Benutzername",
	server: () => "Server",

	// Second factor
	on: () => "an",
	off: () => "aus",
	goOn: () => "Weiter",
	codes: () => "Wiederherstellungscodes",
	codesText: () => "Wenn du deinen anderen Faktor verlierst, kannst du dich mit jedem dieser Codes einmal anmelden. "
		+ "Bewahre sie auf Papier oder in einem Passwortmanager auf.",
	codesFile: () => "wiederherstellungscodes.txt",
	appQR: () => "Code mit dem Schlüssel, zum Scannen mit der App",
	appScan: () => "Scanne den Code mit der App, oder gib den Schlüssel ein. Gib dann die sechs Ziffern ein, die die App zeigt.",
	appEnter: () => "Gib den Schlüssel in der App ein. Gib dann die sechs Ziffern ein, die die App zeigt.",
	appKey: () => "Schlüssel",
	appOpen: () => "Die App auf diesem Gerät öffnen",
	passkeyName: (day) => `Passkey vom ${day}`,
	passkeyKnown: () => "Dieses Gerät hat schon einen Passkey für dieses Konto.",
	passkeyStopped: () => "Der Passkey wurde nicht erstellt.",

	// Blocked members
	blockedLead: () => "Sie können dir nicht schreiben, und du siehst nicht, was sie schreiben.",
});
