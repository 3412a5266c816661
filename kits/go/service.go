package agent

import (
	"context"
	"fmt"
)

// service has the operations of A2A 1.0 on the tasks of an agent.
type service struct {
	store      *store
	runner     *runner
	inputModes []string
}

// call is a request of a caller.
type call struct {
	ctx    context.Context
	params object
	from   caller
}

// reply is a result. With events it is the first result of a stream.
type reply struct {
	result object
	events *follower
}

type method = func(s *service, c call) (reply, error)

var methods = map[string]method{
	"SendMessage":                      (*service).send,
	"SendStreamingMessage":             (*service).stream,
	"GetTask":                          (*service).get,
	"ListTasks":                        (*service).list,
	"CancelTask":                       (*service).cancel,
	"SubscribeToTask":                  (*service).subscribe,
	"CreateTaskPushNotificationConfig": (*service).push,
	"GetTaskPushNotificationConfig":    (*service).push,
	"ListTaskPushNotificationConfigs":  (*service).push,
	"DeleteTaskPushNotificationConfig": (*service).push,
	"GetExtendedAgentCard":             (*service).extendedCard,
}

func (s *service) send(c call) (reply, error) {
	sent, found, start, err := s.accept(c)
	if err != nil {
		return reply{}, err
	}
	start()
	if !sent.atOnce {
		found.settled(c.ctx)
	}
	return reply{result: object{"task": found.toJSON(sent.history, true)}}, nil
}

func (s *service) stream(c call) (reply, error) {
	_, found, start, err := s.accept(c)
	if err != nil {
		return reply{}, err
	}
	task, events := found.follow(func(state string) bool { return state != working })
	start()
	return reply{object{"task": task}, events}, nil
}

// accept returns the task of a message, and a function that runs the handler if the task is new.
func (s *service) accept(c call) (sendParams, *record, func(), error) {
	sent, err := readSendParams(c.params, s.inputModes)
	if err != nil {
		return sent, nil, nil, err
	}
	found, isNew, err := s.store.accept(sent.message, c.from, s.runner.check)
	start := func() {
		if isNew {
			s.runner.start(found, sent.message)
		}
	}
	return sent, found, start, err
}

func (s *service) find(c call) (*record, error) {
	id, err := requiredText(c.params, "id", "")
	if err != nil {
		return nil, err
	}
	return s.store.get(id, c.from.owner)
}

func (s *service) get(c call) (reply, error) {
	history, err := optionalCount(c.params, "historyLength", anyCount)
	if err != nil {
		return reply{}, err
	}
	found, err := s.find(c)
	if err != nil {
		return reply{}, err
	}
	return reply{result: found.toJSON(history, true)}, nil
}

func (s *service) cancel(c call) (reply, error) {
	found, err := s.find(c)
	if err == nil {
		err = found.cancel()
	}
	if err != nil {
		return reply{}, err
	}
	return reply{result: found.toJSON(-1, true)}, nil
}

func (s *service) subscribe(c call) (reply, error) {
	found, err := s.find(c)
	if err != nil {
		return reply{}, err
	}
	if state, _ := found.measure(); isEnded(state) {
		return reply{}, unsupportedOperation(fmt.Sprintf("The task is %s: it has no more events. Get the task instead.", state))
	}
	// A stream of 0.3 ends with its first final event, and a question is one.
	task, events := found.follow(func(state string) bool {
		return isEnded(state) || (c.from.version == "0.3" && state != working)
	})
	return reply{object{"task": task}, events}, nil
}

func (s *service) push(call) (reply, error) { return reply{}, pushNotSupported() }

func (s *service) extendedCard(c call) (reply, error) { return reply{}, noExtendedCard(c.from.version) }
