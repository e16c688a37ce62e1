package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/app/health"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
)

// drainTime limits how long requests in progress may continue after the signal to
// stop.
const drainTime = 10 * time.Second

// ServeOptions are the parameters of [Serve].
type ServeOptions struct {
	Settings *config.Settings
	Log      *slog.Logger
	Terminal io.Writer // the link to the set-up page is printed here; nil without a terminal

	// Reload receives the signals to read the certificate and the settings again.
	// LoadSettings reads the settings from the same sources as Settings. LogLevel is
	// the level of Log.
	Reload       <-chan os.Signal
	LoadSettings func() (*config.Settings, error)
	LogLevel     *slog.LevelVar
}

// Serve runs the server until ctx ends.
func Serve(ctx context.Context, o ServeOptions) (err error) {
	settings, log := o.Settings, o.Log
	SetHeapGrowth()
	unlock, err := store.Lock(settings.Database())
	if err != nil {
		return err
	}
	defer unlock()
	warnIfWritableByOthers(settings.Data, log)
	limitResources(log)
	ln, cert, err := listen(settings, log) // before the migration, so that nothing changes if the port is in use
	if err != nil {
		return err
	}
	defer ln.Close() // no effect if a.serve has closed it
	settings.SetListener(ln.Addr())
	lastChange := health.LastChange(settings) // before this server changes the data
	db, err := OpenDatabase(ctx, settings, logMigration(log))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.KeepReserve(settings.Reserve()); err != nil {
		log.Warn("no space is reserved for sign-ins and deletions on a full disk", "err", err)
	}
	a, err := Assemble(db, settings, log)
	if err != nil {
		return err
	}
	a.certificate = cert
	defer a.Backups.Stop()
	logZones(log)
	a.logDiagnoses([]health.Diagnosis{health.Clock(db.Now(), lastChange, settings.Location())})
	if err := a.logCertificate(ctx); err != nil {
		return err
	}
	if err := db.Write(store.WithReserve(ctx), a.Identity.TakeOperators); err != nil {
		return err
	}
	if err := db.Write(ctx, a.Calendar.AbandonCopies); err != nil {
		log.Warn("incomplete copies of calendars stay in the database until the next start", "err", err)
	}
	defer os.Remove(settings.SetupLink()) // the next server creates another link
	defer os.Remove(settings.AddressFile())
	if err := settings.PublishAddress(); err != nil {
		log.Warn("commands do not know the address of this server", "err", err)
	}
	// A signal that arrives after the log line of announce ends the server in order.
	if err := a.announce(context.WithoutCancel(ctx), ln.Addr(), o.Terminal); err != nil {
		return err
	}
	defer o.reloadOnSignal(cert, a.zonesTrigger.request)()
	socket, _ := unsetVariable("NOTIFY_SOCKET")
	return a.serve(ctx, ln, func(state string) {
		if err := notify(socket, state); err != nil {
			log.Warn("systemd was not notified", "state", state, "err", err)
		}
	})
}

// SetHeapGrowth lets the heap grow by 200 % between two collections, unless GOGC sets another
// value. The live heap of a server is a few megabytes; with the default of 100 %, several
// collections would run during one large response.
func SetHeapGrowth() {
	if previous := debug.SetGCPercent(200); previous != 100 {
		debug.SetGCPercent(previous)
	}
}

// warnIfWritableByOthers logs a warning if other users could replace the files of the data
// directory. Windows has no such permissions.
func warnIfWritableByOthers(dir string, log *slog.Logger) {
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o022 != 0 && runtime.GOOS != "windows" {
		log.Warn("other users of this machine can replace files in the data directory; run chmod 700", "directory", dir)
	}
}

// limitResources limits the memory of the process and logs the limits that follow from
// its memory and file descriptors.
func limitResources(log *slog.Logger) {
	memory, source := limits.LimitMemory(os.DirFS("/"))
	sizes := limits.NewSizes(limits.Files())
	svc.LimitSpoolMemory(sizes.Spool)
	log.Info("resources", "memory-limit", fmt.Sprint(memory>>20, " MiB"), "from", source, "connections", sizes.Connections, "per-address", sizes.PerAddress)
	if sizes.FewFiles {
		log.Warn("few connections: this process may open only few files; raise the limit (LimitNOFILE in a systemd unit, ulimit -n in a shell)",
			"files", limits.Files(), "connections", sizes.Connections)
	}
}

// logMigration returns a function that logs the creation or the migration of the
// database in one line, and each migration at the level debug.
func logMigration(log *slog.Logger) func(store.Migration) {
	var begin sync.Once
	return func(m store.Migration) {
		begin.Do(func() {
			if m.Version == 1 {
				log.Info("creating the database")
			} else {
				log.Info("migrating the database", "from_schema", m.Version-1)
			}
		})
		log.Debug("migration", "name", fmt.Sprintf("%04d_%s", m.Version, m.Name))
	}
}

// OpenDatabase migrates the database if necessary and opens it. progress is
// called before each migration; it may be nil.
func OpenDatabase(ctx context.Context, settings *config.Settings, progress func(store.Migration)) (*store.DB, error) {
	if err := settings.MakeBackupDir(); err != nil {
		return nil, err
	}
	if _, err := store.Migrate(ctx, settings.Database(), settings.BackupDir(), progress); err != nil {
		return nil, err
	}
	return store.Open(ctx, settings.Database(), store.Options{})
}

// serve handles requests on ln and runs the jobs until ctx ends, and then waits
// for requests in progress. It passes the states of sd_notify(3) to report.
func (a *App) serve(ctx context.Context, ln net.Listener, report func(state string)) error {
	background, stopJobs := context.WithCancel(context.WithoutCancel(ctx))
	var jobs sync.WaitGroup
	for _, j := range a.jobs() {
		jobs.Go(func() { a.run(background, j) })
	}
	defer jobs.Wait()
	defer stopJobs()

	if a.certificate != nil {
		ln = a.withTLS(ln)
	}
	web := a.HTTP.NetServer()
	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		a.Log.Info("stopping")
		report("STOPPING=1")
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		err := web.Shutdown(grace)
		if errors.Is(err, context.DeadlineExceeded) {
			err = web.Close()
		}
		drained <- err
	})
	defer stop()
	report("READY=1") // the listener is open: connections made before Serve accepts them are queued, not refused
	if err := web.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained // Serve returns when Shutdown begins
}

// announce logs the address of the server. While there is no operator, it creates the
// link to the set-up page. It prints the link on the terminal. Without a terminal it logs
// only the file with the link, because other users of the machine may be able to read the
// log.
func (a *App) announce(ctx context.Context, addr net.Addr, terminal io.Writer) error {
	a.Log.Info("serving", "address", a.Settings.URL().String(), "listen", addr.String(), "data", a.Settings.Data)
	a.logDiagnoses(health.Reach(a.Settings, a.Settings.URL(), a.HTTP.IsProxied()))
	needed, err := a.Setup.Needed(ctx)
	if err != nil || !needed {
		return err
	}
	link, err := a.Setup.NewLink()
	if err != nil {
		return err
	}
	if terminal == nil {
		a.Log.Info("there is no operator yet: a link to create one is in a file, for one hour; appliance setup --link prints a new one", "file", a.Settings.SetupLink())
		return nil
	}
	_, err = fmt.Fprintf(terminal, "\nThere is no operator yet. Create the first one here, within one hour:\n\n  %s\n\nappliance setup --link prints a new link.\n\n", link)
	return err
}
