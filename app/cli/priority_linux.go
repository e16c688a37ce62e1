package cli

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// lowerPriority lets other processes use the processors first, until this process ends,
// as nice(1) does. Each thread has a priority of its own, which the threads that it starts
// inherit.
func lowerPriority() error {
	priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		return os.NewSyscallError("getpriority", err)
	}
	nice := 20 - priority + 10 // the system call returns 20 - nice, see getpriority(2)
	lowered := make(map[string]bool)
	for more := true; more; { // an unchanged thread may have started another one
		more = false
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil || lowered[thread.Name()] {
				continue
			}
			if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, nice); err != nil && !errors.Is(err, syscall.ESRCH) { // ESRCH: the thread has ended
				return os.NewSyscallError("setpriority", err)
			}
			lowered[thread.Name()], more = true, true
		}
	}
	return nil
}
