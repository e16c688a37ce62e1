package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"appliance/app"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/health"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/identity"
	"appliance/svc/zoneinfo"

	"github.com/spf13/cobra"
)

func (c *cli) doctorCommand() *cobra.Command {
	var reindex bool
	var member string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and suggest remedies",
		Long: "Check the data directory, the database and the backups. If the server runs, also check the access from outside\n" +
			"in the way of a phone, with a temporary device password. The exit status is 1 if there is a problem. Pass the\n" +
			"same --base-url and certificate as to serve.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if reindex {
				return c.reindexAll(cmd.Context(), settings)
			}
			d := &doctor{cli: c, settings: settings, member: member}
			if err := d.checkAll(cmd.Context()); err != nil {
				return err
			}
			return d.print()
		},
	}
	config.AddFlags(cmd.Flags(), "listen", "base-url", "tls-cert", "tls-key", "backup-every", "timezone")
	cmd.Flags().BoolVar(&reindex, "reindex", false, "Rebuild the index of all calendar entries.")
	cmd.Flags().StringVar(&member, "member", "", "`MEMBER` whose calendars are looked up from outside; by default the first member.")
	return cmd
}

// doctor checks one installation.
type doctor struct {
	*cli
	settings *config.Settings
	member   string
	results  svc.List[health.Diagnosis]

	lastChange time.Time // see health.LastChange
}

func (d *doctor) ok(check, format string, args ...any) {
	d.results = append(d.results, health.OK(check, format, args...))
}

func (d *doctor) warn(check, remedy, format string, args ...any) {
	d.results = append(d.results, health.Warning(check, remedy, format, args...))
}

func (d *doctor) problem(check, remedy, format string, args ...any) {
	d.results = append(d.results, health.Problem(check, remedy, format, args...))
}

// print prints the results. It returns an error if there are problems.
func (d *doctor) print() error {
	problems := 0
	for _, f := range d.results {
		if f.State == health.StateProblem {
			problems++
		}
	}
	err := d.cli.print(d.results, func(w io.Writer) {
		for _, f := range d.results {
			fmt.Fprintf(w, "%-8s %s: %s\n", f.State, f.Check, f.Message)
			if f.Remedy != "" {
				fmt.Fprintf(w, "         %s\n", f.Remedy)
			}
		}
	})
	if err == nil && problems > 0 {
		err = fmt.Errorf("problems found by %d of %d checks", problems, len(d.results))
	}
	return err
}

// checkBackups checks the backups and reports what they do not contain.
func (d *doctor) checkBackups(ctx context.Context, a *app.App) error {
	list, err := backups.List(d.settings.BackupDir())
	if err != nil {
		d.results = append(d.results, health.Problem("backups", "", "%s", err))
	} else {
		d.results = append(d.results, health.Backups(d.settings, list, a.DB.Now()))
	}
	contents, err := a.BackupContents(ctx)
	if err != nil || contents.Maps || d.settings.BackupEvery == 0 {
		return err
	}
	var regions []string
	for _, r := range contents.Regions {
		regions = append(regions, r.Name)
	}
	d.results = append(d.results, health.MapsOutsideBackups(regions))
	return nil
}

func (d *doctor) checkAll(ctx context.Context) error {
	d.lastChange = health.LastChange(d.settings) // before this command opens the database
	cert := d.readCertificate()
	if !d.checkDirectory() || !d.checkDatabase(ctx) {
		return nil
	}
	return d.withApp(ctx, d.settings, func(a *app.App) error {
		d.results = append(d.results, health.Clock(a.DB.Now(), d.lastChange, d.settings.Location()))
		d.results = append(d.results, health.Certificate(cert, d.settings.URL(), a.DB.Now())...)
		if err := d.checkZones(ctx, a); err != nil {
			return err
		}
		if err := d.checkSecondFactors(ctx, a); err != nil {
			return err
		}
		if err := d.checkBackups(ctx, a); err != nil {
			return err
		}
		if err := d.checkSearches(ctx, a); err != nil {
			return err
		}
		if err := d.checkProviders(ctx, a); err != nil {
			return err
		}
		if d.checkServer() {
			d.checkAccess(ctx, a)
		}
		return nil
	})
}

// checkServer checks and reports whether a server runs on the data directory.
func (d *doctor) checkServer() bool {
	running, err := store.IsLocked(d.settings.Data)
	if err != nil {
		d.problem("server", "Check the owner of the file lock in the data directory.", "%v", err)
		return false
	}
	if !running {
		d.warn("server", "Start it with appliance serve and run doctor again to check the access from outside.", "No server is running on this data directory.")
		return false
	}
	d.ok("server", "The server is running.")
	return true
}

// checkDirectory checks the permissions and the file system of the data directory.
func (d *doctor) checkDirectory() (usable bool) {
	dir := d.settings.Data
	info, err := os.Stat(dir)
	if err != nil {
		d.problem("directory", "Pass the data directory with --data.", "%v", err)
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		d.problem("directory", "chmod 700 "+dir, "Other users of this machine can read %s.", dir)
	} else {
		d.ok("directory", "Only its owner can read %s.", dir)
	}
	for _, name := range []string{d.settings.Database(), d.settings.Database() + "-wal", d.settings.File(), d.settings.FactorKeyFile()} {
		if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o077 != 0 {
			d.problem("directory", "chmod 600 "+name, "Other users of this machine can read %s.", name)
		}
	}
	d.results = append(d.results, health.Disk(dir)...)
	return true
}

// largeWAL is the size in bytes above which doctor warns about the write-ahead log:
// probably, a long read transaction prevents its truncation.
const largeWAL = 512 << 20

// checkDatabase checks the schema version and the integrity of the database
// file, and the size of its write-ahead log. usable is false if the other
// checks cannot use the database.
func (d *doctor) checkDatabase(ctx context.Context) (usable bool) {
	file := d.settings.Database()
	status, err := store.Inspect(ctx, file)
	switch {
	case err != nil:
		d.problem("database", cmp.Or(adviceFor(err), "Use the version of appliance that wrote it, or restore a backup."), "%v", err)
		return false
	case !status.Exists:
		d.warn("database", "Create it with appliance serve or appliance setup.", "There is no database in %s.", d.settings.Data)
		return false
	case len(status.Pending) > 0:
		d.warn("database", "The next start migrates it, after a backup.", "It has the schema of an older version. Pending migrations: %d.", len(status.Pending))
	}
	if err := store.Verify(ctx, file); err != nil {
		d.problem("database", adviceFor(err), "%v", err)
		return false
	}
	d.ok("database", "%s is intact.", file)
	if info, err := os.Stat(file + "-wal"); err == nil && info.Size() > largeWAL {
		d.warn("database", "Restart the server; another program may have the file open.", "The write-ahead log has grown to %d MB.", info.Size()>>20)
	}
	return len(status.Pending) == 0
}

// checkZones checks the age of the time zone data, and whether a running server uses it.
func (d *doctor) checkZones(ctx context.Context, a *app.App) error {
	current := zoneinfo.Current().Info
	d.results = append(d.results, health.Zones(current, zoneinfo.Refused(), a.DB.Now())...)
	return a.DB.Read(ctx, func(tx *store.Tx) error {
		conflicts, err := a.Objects.ZoneConflicts(tx)
		if err != nil {
			return err
		}
		if len(conflicts) > 0 {
			names := make([]string, len(conflicts))
			for i, c := range conflicts {
				names[i] = fmt.Sprintf("%s (%d)", c.Zone, c.Objects)
			}
			d.ok("time zones", "Clients define some time zones in another way than the data %s, most of them by an earlier law. Entries: %s.", current.Version, strings.Join(names, ", "))
		}
		used, err := a.Objects.ZoneProgress(tx)
		if running, _ := store.IsLocked(d.settings.Data); err == nil && running && used.Version != "" && used.Version != current.Version {
			d.warn("time zones", "Restart the server, or let it read its settings again (SIGHUP).", "The server uses other time zone data: %s.", used.Version)
		}
		return err
	})
}

// checkSearches searches for a town on the configured search servers.
func (d *doctor) checkSearches(ctx context.Context, a *app.App) error {
	places, pages, err := d.settings.Searches("appliance/"+app.Version(), a.DB.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	const town = "Valletta"
	if places != nil {
		found, err := places.Search(ctx, provider.PlaceQuery{Text: town, Limit: 1})
		d.reportSearch("place search", "find-geocoder-url", len(found), err)
	}
	if pages != nil {
		found, err := pages.Search(ctx, provider.PageQuery{Text: town})
		d.reportSearch("web search", "find-web-url", len(found), err)
	}
	return nil
}

// reportSearch reports the result of a search on the server of a setting.
func (d *doctor) reportSearch(check, setting string, found int, err error) {
	if err != nil {
		d.warn(check, "Check "+setting+" and the server behind it; see appliance help find.", "%v", err)
		return
	}
	d.ok(check, "The server answers. Results for a town: %d.", found)
}

// checkProviders reports the providers whose last acquisition failed.
func (d *doctor) checkProviders(ctx context.Context, a *app.App) error {
	var lines []providerLine
	err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
		lines, err = providerLines(tx, a)
		return err
	})
	failed := 0
	for _, p := range lines {
		if p.Failure != "" {
			failed++
			d.warn("provider "+p.ID, "Correct the cause and run appliance provider sync "+p.ID+".", "The last acquisition failed; the last successful one: %s. %s", localTime(p.AcquiredAt), p.Failure)
		}
	}
	if len(lines) > 0 && failed == 0 {
		d.ok("providers", "All acquisitions succeeded. Providers: %d.", len(lines))
	}
	return err
}

// checkSecondFactors checks that the key of second factors opens the stored secrets.
func (d *doctor) checkSecondFactors(ctx context.Context, a *app.App) error {
	var total, unreadable int
	err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
		total, unreadable, err = a.Identity.SealedSecrets(tx)
		return err
	})
	switch {
	case err != nil:
		return err
	case unreadable > 0:
		d.problem("second factors", "Copy second-factor.key from the previous data directory, or run appliance admin members reset-factor for each member.",
			"%d of %d authenticator apps cannot be checked: their key is missing.", unreadable, total)
	case total > 0:
		d.ok("second factors", "The key opens all secrets. Authenticator apps: %d.", total)
	}
	return nil
}

// checkAccess repeats the steps by which a phone connects, from the address of the server
// to the calendars of a member.
func (d *doctor) checkAccess(ctx context.Context, a *app.App) {
	base := d.settings.URL()
	if !d.checkAddress(ctx, base) {
		return
	}
	if base.Scheme != "https" {
		d.warn("https", "See appliance help https.", "The address is %s. iPhones and Macs do not sign in without HTTPS.", base)
	} else {
		d.ok("https", "The certificate of %s is valid.", base.Host)
	}
	d.checkWellKnown(ctx, base)
	d.checkMethods(ctx, base)
	if err := d.checkDiscovery(ctx, a); err != nil {
		d.problem("discovery", "Open the address in a browser and sign in, to check that it is this server.", "A CalDAV client does not find the calendars: %s", errorText(err))
	}
}

// request sends a request without credentials and follows no redirects.
func (d *doctor) request(ctx context.Context, method, address string) (*http.Response, error) {
	web := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Depth", "0")
	answer, err := web.Do(r)
	if err == nil {
		answer.Body.Close()
	}
	return answer, err
}

// checkAddress checks that the server responds at its address.
func (d *doctor) checkAddress(ctx context.Context, base *url.URL) bool {
	answer, err := d.request(ctx, http.MethodGet, base.String()+"/ready")
	reach := health.Reach(d.settings, base, err == nil && !d.settings.IsLoopback() || len(d.settings.TrustedProxies) > 0)
	switch {
	case isCertificateError(err):
		d.problem("certificate", certificateRemedy(err), "%s is refused by clients: %v", base, err)
	case err != nil && len(reach) > 0:
		d.problem("address", reach[0].Remedy, "%s cannot be reached: %v. %s", base, err, reach[0].Message)
	case err != nil:
		d.problem("address", "Set base-url to the address that members use. Check the DNS entry and the proxy.", "%s cannot be reached: %v", base, err)
	case answer.StatusCode != http.StatusOK:
		d.problem("address", "Another server responds, or the proxy does not forward the path. See appliance help https.", "%s/ready responds with %s.", base, answer.Status)
	default:
		d.ok("address", "The server responds at %s.", base)
		d.results = append(d.results, reach...)
		return true
	}
	return false
}

// checkWellKnown checks the redirect for clients that know only the host name.
func (d *doctor) checkWellKnown(ctx context.Context, base *url.URL) {
	at := base.Scheme + "://" + base.Host + "/.well-known/caldav"
	want := base.Path + "/caldav/"
	answer, err := d.request(ctx, "PROPFIND", at)
	if err != nil {
		d.problem("discovery", "", "%s cannot be reached: %v", at, err)
		return
	}
	remedy := fmt.Sprintf("Let the proxy forward /.well-known/caldav to this server, or redirect it to %s.", want)
	to, err := answer.Location()
	switch {
	case err != nil:
		d.problem("discovery", remedy, "%s responds with %s, not with a redirect.", at, answer.Status)
	case to.Scheme != base.Scheme || to.Host != base.Host || to.Path != want:
		d.problem("discovery", remedy, "%s redirects to %s, not to %s.", at, to, want)
	default:
		d.ok("discovery", "%s redirects to %s.", at, to)
	}
}

// checkMethods checks that a proxy forwards the methods of CalDAV.
func (d *doctor) checkMethods(ctx context.Context, base *url.URL) {
	const remedy = "Let the proxy forward all methods and the Authorization header."
	for _, method := range []string{"OPTIONS", "PROPFIND", "REPORT", "MKCALENDAR", "PROPPATCH", "PUT", "DELETE"} {
		answer, err := d.request(ctx, method, base.String()+"/caldav/")
		if err != nil {
			d.problem("proxy", remedy, "%s fails: %v", method, err)
			return
		}
		if auth := answer.Header.Get("WWW-Authenticate"); answer.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(auth, "Basic ") {
			d.problem("proxy", remedy, "The response to %s is %s, not a request to sign in.", method, answer.Status)
			return
		}
	}
	d.ok("proxy", "All methods of CalDAV are forwarded.")
}

// checkDiscovery signs in like a CalDAV client, with a temporary device password, and
// lists the calendars.
func (d *doctor) checkDiscovery(ctx context.Context, a *app.App) error {
	by := identity.CommandLine(machineUser())
	m, err := findCheckMember(ctx, a, by, d.member)
	if err != nil || m.ID == 0 {
		return err
	}
	var device identity.NewDevice
	err = a.DB.Write(ctx, func(tx *store.Tx) error {
		device, err = a.Identity.AddDeviceOf(tx, by, m.ID, "appliance doctor")
		return err
	})
	if err != nil {
		return err
	}
	defer func() {
		revoke := func(tx *store.Tx) error { return a.Identity.RevokeDeviceOf(tx, by, m.ID, device.Device) }
		if err := a.DB.Write(context.WithoutCancel(ctx), revoke); err != nil {
			d.problem("discovery", "Remove it on the account page.", "The device password “appliance doctor” was not removed: %v", err)
		}
	}()
	remote, err := transfer.Discover(ctx, d.settings.URL().JoinPath("/caldav/"), m.Username, device.Password, func(string, ...any) {})
	if err != nil {
		return err
	}
	list, err := remote.Calendars(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("the list is empty")
	}
	d.ok("discovery", "A CalDAV client finds the calendars of %s: %d.", m.Username, len(list))
	return nil
}

// findCheckMember finds the named member, or the first active member if name is empty.
// If there is no active member, it returns zero values.
func findCheckMember(ctx context.Context, a *app.App, by identity.Actor, name string) (m identity.AdminMember, err error) {
	err = a.DB.Read(ctx, func(tx *store.Tx) error {
		if name != "" {
			m, err = a.Identity.FindMember(tx, by, name)
		} else {
			var page identity.MemberPage
			page, err = a.Identity.Members(tx, by, identity.MemberQuery{Status: identity.Active, Limit: 1})
			if len(page.Members) > 0 {
				m = page.Members[0]
			}
		}
		if err == nil && m.ID != 0 {
			_, err = a.Identity.OnBehalf(tx, m.ID) // rejects a disabled member
		}
		return err
	})
	return m, err
}

// reindexAll rebuilds the index of all calendar entries.
func (c *cli) reindexAll(ctx context.Context, settings *config.Settings) error {
	return c.withApp(ctx, settings, func(a *app.App) error {
		total, err := a.ReindexAll(ctx)
		if err != nil {
			return err
		}
		return c.print(map[string]int{"entries": total}, func(w io.Writer) { fmt.Fprintf(w, "Entries indexed: %d\n", total) })
	})
}
