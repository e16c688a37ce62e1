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
	"runtime/debug"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/store"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func (c *cli) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve",
		Long: "Serve until interrupted. On an empty data directory it prints a link with which you make the first\n" +
			"operator in a browser. Every setting below may also stand in the environment (--base-url as\n" +
			"APPLIANCE_BASE_URL) or in the settings file (base-url = \"…\").",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			return c.serve(cmd.Context(), settings)
		},
	}
	config.AddFlags(cmd.Flags())
	return cmd
}

// drainTime is how long requests under way may take to end.
const drainTime = 10 * time.Second

// heapGrowth is by how many percent the heap grows between collections, unless
// GOGC says something else. What lives is a few megabytes, and a large answer
// would be stopped for several collections.
const heapGrowth = 200

// serve runs the server until ctx ends.
func (c *cli) serve(ctx context.Context, settings *config.Settings) (err error) {
	if usual := debug.SetGCPercent(heapGrowth); usual != 100 {
		debug.SetGCPercent(usual)
	}
	log := newLog(c.stderr, settings)
	unlock, err := store.Lock(settings.Data)
	if err != nil {
		return err
	}
	defer unlock()
	db, err := openCurrent(ctx, settings, func(m store.Migration) {
		log.Info("bringing the database up to date", "migration", fmt.Sprintf("%04d_%s", m.Version, m.Name))
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ln, err := listen(settings, log)
	if err != nil {
		return err
	}
	defer ln.Close() // for the second time, once it was served
	settings.ServedOn(ln.Addr())
	s, err := assemble(db, settings, log)
	if err != nil {
		return err
	}
	defer os.Remove(settings.SetupLink()) // it is of no use to the next server
	if err := c.greet(ctx, s, ln.Addr()); err != nil {
		return err
	}
	socket, _ := variableOnce("NOTIFY_SOCKET")
	return s.serveOn(ctx, ln, func(state string) {
		if err := notify(socket, state); err != nil {
			log.Warn("systemd was not told", "state", state, "err", err)
		}
	})
}

// openCurrent opens the database, bringing it up to date first.
func openCurrent(ctx context.Context, settings *config.Settings, step func(store.Migration)) (*store.DB, error) {
	if err := settings.MakeBackups(); err != nil {
		return nil, err
	}
	if _, err := store.Migrate(ctx, settings.Database(), settings.Backups(), step); err != nil {
		return nil, err
	}
	return store.Open(ctx, settings.Database(), store.Options{})
}

// serveOn answers on ln until ctx ends, and then until what was begun is done.
// tell hears of both, as sd_notify(3) names them.
func (s *server) serveOn(ctx context.Context, ln net.Listener, tell func(state string)) error {
	web := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       requestTime,
		WriteTimeout:      sendTime,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	background, stopJobs := context.WithCancel(context.WithoutCancel(ctx))
	var jobs sync.WaitGroup
	for _, j := range s.jobs() {
		jobs.Go(func() { s.run(background, j) })
	}
	defer jobs.Wait()
	defer stopJobs()

	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		s.log.Info("stopping")
		tell("STOPPING=1")
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		err := web.Shutdown(grace)
		if errors.Is(err, context.DeadlineExceeded) {
			err = web.Close()
		}
		drained <- err
	})
	defer stop()
	tell("READY=1") // whoever comes now waits at the open port at worst
	if err := web.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained // Serve returns when Shutdown begins, not when it is done
}

// greet says where the server is and, while it has no members, how to begin.
func (c *cli) greet(ctx context.Context, s *server, addr net.Addr) error {
	s.log.Info("serving", "address", s.settings.URL().String(), "listen", addr.String(), "data", s.settings.Data)
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() && s.settings.BaseURL == "" {
		s.log.Warn("links that this server makes lead nowhere from other machines: set base-url to the address that members use",
			"address", s.settings.URL().String())
	}
	fresh, err := s.fresh(ctx)
	if err != nil || !fresh {
		return err
	}
	link := s.settings.URL().String() + "/setup?code=" + s.newSetupCode()
	if isTerminal(c.stdout) {
		fmt.Fprintf(c.stdout, "\nThere are no members yet. Make the first operator here, within the hour:\n\n  %s\n\n", link)
		return nil
	}
	file := s.settings.SetupLink()
	if err := config.WritePrivate(file, link+"\n"); err != nil {
		return fmt.Errorf("writing the set-up link: %w", err)
	}
	s.log.Info("there are no members yet: the link to make the first operator is in a file, for an hour", "file", file)
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func newLog(w io.Writer, settings *config.Settings) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(settings.Log)) // kong has checked it
	options := &slog.HandlerOptions{Level: level}
	if settings.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
