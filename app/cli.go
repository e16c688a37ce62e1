package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"appliance/app/config"
	"appliance/svc"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit statuses. Scripts depend on them.
const (
	ExitOK       = 0
	ExitFailure  = 1
	ExitUsage    = 2 // the command line or a value on it is wrong
	ExitNotFound = 3
	ExitConflict = 4 // it exists already, or somebody else is using it
)

// Run runs the command line args and returns the exit status. Everything it
// touches of the outside world is a parameter, but for the environment and
// the files it names, so tests run it like any function.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &cli{stdin: bufio.NewReader(stdin), stdout: stdout, stderr: stderr, environ: os.Environ()}
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		c.terminal = f
	}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitOK
	}
	fmt.Fprintln(stderr, "appliance: "+sentence(err))
	status := exitStatus(err)
	if !c.running { // cobra has found fault with the command line itself
		status = ExitUsage
	}
	if status == ExitUsage {
		fmt.Fprintln(stderr, "See appliance help.")
	}
	return status
}

// cli is one run of the command line.
type cli struct {
	stdin    *bufio.Reader
	terminal *os.File // stdin, if a person sits there; else nil
	stdout   io.Writer
	stderr   io.Writer
	environ  []string
	running  bool // the command line was understood
	json     bool // results as JSON
}

// usageError is a mistake in what the operator wrote.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitStatus(err error) int {
	var usage usageError
	var setting *config.Error
	switch {
	case errors.As(err, &usage), errors.As(err, &setting):
		return ExitUsage
	case isLocked(err), isInUse(err):
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
		if len(e.Fields) > 0 { // a value that was given is wrong
			return ExitUsage
		}
	}
	return ExitFailure
}

// sentence is what an operator reads of err: of a failure with a message for
// people that message, its fields and its cause.
func sentence(err error) string {
	var e *svc.Error
	if !errors.As(err, &e) {
		return err.Error()
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

// root is the command tree.
func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "appliance",
		Short: "A small community's own server, in one file",
		Long: "appliance hosts a household or a small community on one port, from one data directory:\n" +
			"members, calendars for every CalDAV client, and one dataset for every runtime.\n\n" +
			"Start with: appliance serve",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) {
			c.running = true
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	config.AddFlags(root.PersistentFlags(), "data", "config")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "Print results as JSON.")
	root.AddCommand(
		c.serveCommand(),
		c.setupCommand(),
		c.adminCommand(),
		c.calendarCommand(),
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
	root.AddCommand(topics()...)
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error { // cobra would print help about nothing and be content
		_, _, err := root.Find(args)
		return err
	}
	commands := help.ValidArgsFunction // which leaves out what cannot be run
	help.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := commands(cmd, args, begun)
		for _, t := range manual() {
			if len(args) == 0 && strings.HasPrefix(t.name, begun) {
				list = append(list, cobra.CompletionWithDesc(t.name, t.title))
			}
		}
		return list, directive
	}
	return root
}

// settings loads the settings for cmd.
func (c *cli) settings(cmd *cobra.Command) (*config.Settings, error) {
	return config.Load(cmd.Flags(), c.environ)
}

// print writes a result: v as JSON if that was asked for, else what text
// prints.
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

// say writes words for people.
func (c *cli) say(format string, args ...any) {
	fmt.Fprintf(c.stderr, format+"\n", args...)
}

// ask reads a line from a person; secret keeps it off the screen.
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

// password returns a password: the first line of stdin if fromStdin, else
// what a person types twice.
func (c *cli) password(fromStdin bool) (string, error) {
	if fromStdin {
		line, err := c.stdin.ReadString('\n')
		if err != nil && line == "" {
			return "", usageError{errors.New("there is no password on stdin")}
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	if c.terminal == nil {
		return "", usageError{errors.New("give the password with --password-stdin")}
	}
	first, err := c.ask("Password", true)
	if err != nil {
		return "", err
	}
	second, err := c.ask("Again", true)
	if err != nil {
		return "", err
	}
	if first != second {
		return "", usageError{errors.New("the two passwords differ")}
	}
	return first, nil
}
