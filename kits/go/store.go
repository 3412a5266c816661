package agent

import (
	"crypto/rand"
	"fmt"
	"sync"
)

// caller is who sent a request: callers don't see each other's tasks.
type caller struct {
	owner string
	// version is "1.0" or "0.3".
	version string
	// size is that of the request, in bytes.
	size int
}

// store keeps at most maxTasks tasks of together at most maxBytes, in memory. The oldest ended tasks are dropped first.
type store struct {
	maxTasks, maxBytes int

	mu        sync.Mutex
	tasks     []*record // oldest first
	ofMessage map[[2]string]*record
}

// accept returns the task of a message, and whether it is new. A repeated message changes nothing. check may refuse.
func (s *store) accept(message object, from caller, check func() error) (found *record, isNew bool, err error) {
	key := [2]string{from.owner, message["messageId"].(string)}
	taskID, _ := message["taskId"].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.ofMessage[key]; known != nil && (taskID == "" || taskID == known.id) {
		return known, false, nil
	}
	if taskID != "" {
		found, err = s.continued(taskID, message, from)
	} else if err = check(); err == nil {
		if err = s.makeRoom(from.size); err == nil {
			found, isNew = newRecord(message, from.size, from.owner), true
			s.tasks = append(s.tasks, found)
		}
	}
	if err == nil {
		s.ofMessage[key] = found
	}
	return found, isNew, err
}

func (s *store) continued(taskID string, message object, from caller) (*record, error) {
	found, err := s.find(taskID, from.owner)
	if err != nil {
		return nil, err
	}
	if contextID := message["contextId"]; contextID != nil && contextID != found.contextID {
		return nil, invalidParams("message.contextId", "is not the context of the task")
	}
	return found, found.reply(message, from.size)
}

func (s *store) get(id, owner string) (*record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id, owner)
}

func (s *store) find(id, owner string) (*record, error) {
	for _, each := range s.tasks {
		if each.id == id && each.owner == owner {
			return each, nil
		}
	}
	return nil, taskNotFound(id)
}

func (s *store) all(owner string) []*record {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []*record{}
	for _, each := range s.tasks {
		if each.owner == owner {
			found = append(found, each)
		}
	}
	return found
}

func (s *store) makeRoom(size int) error {
	for s.isFull(size) {
		at := s.oldest(isEnded)
		if at < 0 {
			at = s.oldest(func(state string) bool { return state == inputRequired })
		}
		if at < 0 {
			return busy("The agent is busy with other tasks. Try again later.")
		}
		s.tasks[at].finish(failed, "The agent has no more room for open questions.", "")
		for key, each := range s.ofMessage {
			if each == s.tasks[at] {
				delete(s.ofMessage, key)
			}
		}
		s.tasks = append(s.tasks[:at], s.tasks[at+1:]...)
	}
	return nil
}

func (s *store) isFull(size int) bool {
	for _, each := range s.tasks {
		_, bytes := each.measure()
		size += bytes
	}
	return len(s.tasks) >= s.maxTasks || (len(s.tasks) > 0 && size > s.maxBytes)
}

func (s *store) oldest(isIn func(state string) bool) int {
	for at, each := range s.tasks {
		if state, _ := each.measure(); isIn(state) {
			return at
		}
	}
	return -1
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
