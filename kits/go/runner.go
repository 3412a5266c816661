package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// Handler answers a message. The text that it returns is added to what it wrote to the task. The context is canceled with
// the task. The person reads a UserError; for every other error the person reads that the agent failed.
type Handler func(ctx context.Context, message Message, task *Task) (string, error)

// failedText is what a person reads when a handler returns any error but a UserError.
const failedText = "The agent could not finish this task. Reference: "

// runner starts handlers, up to a number of them at a time; those that wait for a person don't count.
type runner struct {
	handler Handler
	options Options

	mu         sync.Mutex
	running    map[*record]struct{}
	isStopping bool
	idle       *sync.Cond
}

func newRunner(handler Handler, options Options) *runner {
	r := &runner{handler: handler, options: options, running: map[*record]struct{}{}}
	r.idle = sync.NewCond(&r.mu)
	return r
}

// check returns the error for a caller whose new task can't be run now.
func (r *runner) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isStopping {
		return busy("The agent is shutting down. Try again later.")
	}
	at := 0
	for each := range r.running {
		if state, _ := each.measure(); state == working {
			at++
		}
	}
	if at >= r.options.MaxRunning {
		return busy("The agent is working on too many tasks. Try again later.")
	}
	return nil
}

func (r *runner) start(started *record, message object) {
	r.mu.Lock()
	r.running[started] = struct{}{}
	if len(r.running) == 1 {
		go r.watch()
	}
	r.mu.Unlock()
	go r.run(started, readMessage(started.own(message)))
}

func (r *runner) run(started *record, message Message) {
	defer func() {
		if problem := recover(); problem != nil {
			fmt.Fprintf(os.Stderr, "Task %s panicked: %v\n%s", started.id, problem, debug.Stack())
			started.finish(failed, failedText+started.id, "")
		}
		started.finish(failed, failedText+started.id, "") // The handler ended its goroutine.
		r.mu.Lock()
		delete(r.running, started)
		r.idle.Broadcast()
		r.mu.Unlock()
	}()
	answer, err := r.handler(started.ctx, message, &Task{record: started})
	var shown UserError
	switch {
	case err == nil:
		started.finish(completed, "", answer)
	case errors.As(err, &shown):
		started.finish(failed, string(shown), "")
	default:
		if started.ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "Task %s failed: %v\n", started.id, err)
		}
		started.finish(failed, failedText+started.id, "")
	}
}

// watch ends what takes too long, until nothing runs.
func (r *runner) watch() {
	for range time.Tick(time.Second) {
		r.mu.Lock()
		if len(r.running) == 0 {
			r.mu.Unlock()
			return
		}
		for each := range r.running {
			each.expire(r.options)
		}
		r.mu.Unlock()
	}
}

// stop takes no new tasks, waits for the running ones until the context is done, and fails the rest.
func (r *runner) stop(ctx context.Context) {
	release := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.idle.Broadcast()
	})
	defer release()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isStopping = true
	for each := range r.running {
		if state, _ := each.measure(); state == inputRequired {
			each.finish(failed, "The agent was stopped.", "")
		}
	}
	for len(r.running) > 0 && ctx.Err() == nil {
		r.idle.Wait()
	}
	for each := range r.running {
		each.finish(failed, "The agent was stopped.", "")
	}
}
