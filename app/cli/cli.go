package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"appliance/app"
	"appliance/app/config"
	"appliance/app/manual"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/zoneinfo"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit statuses. Scripts depend on them; they never change.
const (
	ExitOK       = 0
	ExitFailure  = 1
	ExitUsage    = 2 // the command line or a value in it is wrong
	ExitNotFound = 3
	ExitConflict = 4 // the object exists already, or another process uses the resource
)

// exitStatuses describes the exit statuses for the help.
const exitStatuses = "Exit status: 0 success; 1 failure; 2 wrong command line or setting; 3 not found;\n" +
	"4 the object exists already, or another process uses the data directory or the port."

// Run runs the command line args and returns the exit status. It uses only the
// streams passed to it, the environment, and the files that args name, so that
// tests can call it.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &cli{stdin: bufio.NewReader(stdin), stdout: stdout, stderr: stderr, environ: os.Environ()}
	useMachineZone(c.environ)
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		c.terminal = f
	}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return ExitOK
	}
	fmt.Fprintln(stderr, "appliance: "+errorText(err))
	status := exitStatus(err)
	if !c.hasStarted { // cobra rejected the command line
		status = ExitUsage
	}
	if status == ExitUsage {
		fmt.Fprintf(stderr, "See %s --help.\n", cmd.CommandPath())
	}
	return status
}

// cli is one run of the command line.
type cli struct {
	stdin           *bufio.Reader
	terminal        *os.File // stdin if it is a terminal, otherwise nil
	stdout          io.Writer
	stderr          io.Writer
	environ         []string
	hasStarted      bool // a command has started
	isServerRunning bool // a server is running on the data directory; set by withApp
	json            bool // print results as JSON
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitStatus(err error) int {
	var usage usageError
	var setting *config.Error
	switch {
	case errors.As(err, &usage), errors.As(err, &setting):
		return ExitUsage
	case isLocked(err), app.IsAddressInUse(err):
		return ExitConflict
	}
	var e *svc.Error
	if !errors.As(err, &e) {
		return ExitFailure
	}
	switch e.Code.Kind {
	case svc.Missing:
		return ExitNotFound
	case svc.Conflict, svc.Stale:
		return ExitConflict
	case svc.Malformed, svc.Unprocessable:
		if len(e.Fields) > 0 { // an argument is wrong
			return ExitUsage
		}
	}
	return ExitFailure
}

// errorText returns the text of err for the operator. For a [svc.Error] it
// includes the messages of its fields and the cause.
func errorText(err error) string {
	var e *svc.Error
	if store.IsFull(err) {
		text := "the disk is full: free some space and try again (" + err.Error() + ")"
		if advised, ok := errors.AsType[advisedError](err); ok {
			text += "\n" + advised.advice
		}
		return text
	}
	if !errors.As(err, &e) {
		text := err.Error()
		if advice := adviceFor(err); advice != "" {
			text += "\n" + advice
		}
		return text
	}
	text := e.Message
	for _, f := range e.Fields {
		if f.Message != e.Message {
			text += " " + f.Message
		}
	}
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// advisedError is an error with a remedy that is better than that of adviceFor.
type advisedError struct {
	error
	advice string
}

func (e advisedError) Unwrap() error { return e.error }

// adviceFor returns what to do about an error, or "".
func adviceFor(err error) string {
	if advised, ok := errors.AsType[advisedError](err); ok {
		return advised.advice
	}
	switch {
	case errors.Is(err, store.ErrForeign):
		return "Move the file away, or choose another directory with --data."
	case store.IsDamage(err):
		return "Stop the server and restore the last backup of the directory backups: appliance restore FILE"
	}
	return store.ExplainAccess(err)
}

// root returns the command tree.
func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "appliance",
		Short: "Server for a small community, in one executable",
		Long: "appliance serves a small community on one port, from one data directory:\n" +
			"members, calendars for CalDAV clients, messages, social features and one dataset for runtimes.\n\n" +
			"Start with: appliance serve\n\n" + exitStatuses,
		Version:       app.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) {
			c.hasStarted = true
		},
	}
	root.SetVersionTemplate("appliance {{.Version}}\n")
	root.SetUsageTemplate(usageTemplate(root))
	root.SetFlagErrorFunc(flagError)
	config.AddFlags(root.PersistentFlags(), "data", "config")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "Print results as JSON.")
	root.AddCommand(
		c.serveCommand(),
		c.setupCommand(),
		c.adminCommand(),
		c.calendarCommand(),
		c.mapsCommand(), c.providerCommand(),
		c.translateCommand(),
		c.backupCommand(),
		c.restoreCommand(),
		c.migrateCommand(),
		c.doctorCommand(),
		c.configCommand(),
		c.schemaCommand(),
		c.harnessCommand(),
		c.manCommand(),
		c.versionCommand(),
	)
	root.InitDefaultCompletionCmd()
	setUsage(root)
	if err := c.addCompletions(root, config.Enums()); err != nil {
		panic(err) // two completions are registered for one flag
	}
	root.AddCommand(topicCommands()...)
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error { // without this, cobra accepts unknown topics
		cmd, rest, err := root.Find(args)
		if err == nil && len(rest) > 0 {
			err = unknownCommand(cmd, rest[0])
		}
		return err
	}
	completeCommands := help.ValidArgsFunction // completes only runnable commands, not topics
	help.ValidArgsFunction = func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := completeCommands(cmd, args, prefix)
		for _, t := range manual.Topics() {
			if len(args) == 0 && strings.HasPrefix(t.Name, prefix) {
				list = append(list, cobra.CompletionWithDesc(t.Name, t.Title))
			}
		}
		return list, directive
	}
	return root
}

// settings loads the settings of a command, and uses their time zone data.
func (c *cli) settings(cmd *cobra.Command) (*config.Settings, error) {
	settings, err := config.Load(cmd.Flags(), c.environ)
	if err == nil {
		zoneinfo.Use(settings.Zones())
	}
	return settings, err
}

// useMachineZone makes the variable TZ apply to the times that commands and the log print. Package
// time knows only the zones of the operating system, and containers have none.
func useMachineZone(environ []string) {
	for _, pair := range environ {
		name, isZone := strings.CutPrefix(pair, "TZ=")
		if loc, known := svc.Zone(strings.TrimPrefix(name, ":")); isZone && known && time.Local.String() == "UTC" && loc != time.UTC {
			time.Local = loc
		}
	}
}

// print writes a result to standard output: v as JSON with --json, otherwise
// the output of text.
func (c *cli) print(v any, text func(w io.Writer)) error {
	if !c.json {
		text(c.stdout)
		return nil
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printMessage writes a line to standard error.
func (c *cli) printMessage(format string, args ...any) {
	fmt.Fprintf(c.stderr, format+"\n", args...)
}

// ask reads a line from the terminal, without echo if it is secret.
func (c *cli) ask(prompt string, secret bool) (string, error) {
	fmt.Fprint(c.stderr, prompt+": ")
	if secret {
		line, err := term.ReadPassword(int(c.terminal.Fd()))
		fmt.Fprintln(c.stderr)
		return string(line), err
	}
	line, err := c.stdin.ReadString('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// password returns a password: the first line of standard input with fromStdin,
// otherwise from the terminal, typed twice. On the terminal it asks again while check, which may be
// nil, returns an error for it, or the two differ.
func (c *cli) password(fromStdin bool, check func(string) error) (string, error) {
	if fromStdin {
		line, err := c.stdin.ReadString('\n')
		if err != nil && line == "" {
			return "", usageError{errors.New("standard input has no password")}
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	if c.terminal == nil {
		return "", usageError{errors.New("pass the password on standard input with --password-stdin")}
	}
	for {
		first, err := c.ask("Password", true)
		if err != nil {
			return "", err
		}
		if check != nil {
			if err := check(first); err != nil {
				c.printMessage("%s", errorText(err))
				continue
			}
		}
		second, err := c.ask("Repeat password", true)
		if err != nil {
			return "", err
		}
		if first == second {
			return first, nil
		}
		c.printMessage("The passwords differ. Enter them again.")
	}
}

// newPassword returns a password for an account with an e-mail address, as password does.
func (c *cli) newPassword(fromStdin bool, email string) (string, error) {
	return c.password(fromStdin, func(password string) error { return identity.CheckPassword(password, email) })
}
