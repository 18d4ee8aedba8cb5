;; The messages up to that of the user which the mission answers, the oldest first (M115, M116).
(map :content (conversation/all))
;=> ("How many orders?" {"count" 3} "Of whom?" "the run was cancelled" "Hello?")
(conversation/all "user")
;=> [{"role" "user", "content" "How many orders?"} {"role" "user", "content" "Of whom?"} {"role" "user", "content" "Hello?"}]
(map :role (conversation/all :all))
;=> ("user" "assistant" "user" "assistant" "user")
(conversation/all :system)
;=> []
(conversation/last)
;=> {"role" "user", "content" "Hello?"}
(conversation/first)
;=> {"role" "user", "content" "How many orders?"}
(conversation/last :user)
;=> {"role" "user", "content" "Hello?"}
(conversation/first :assistant)
;=> {"role" "assistant", "content" {"count" 3}}
(conversation/last "ai")
;=> {"role" "assistant", "content" "the run was cancelled", "status" "stopped"}
(conversation/last :system)
;=> nil
(:content (conversation/last :user))
;=> "Hello?"
(:count (:content (conversation/first :assistant)))
;=> 3

;; With a number, there are at most as many messages in their order, also for 1.
(map :content (conversation/last 2))
;=> ("the run was cancelled" "Hello?")
(map :content (conversation/first 2))
;=> ("How many orders?" {"count" 3})
(map :content (conversation/last :user 2))
;=> ("Of whom?" "Hello?")
(conversation/last :user 1)
;=> [{"role" "user", "content" "Hello?"}]
(conversation/first :user 0)
;=> []
(conversation/last :user -1)
;=> []
(count (conversation/last :user 20))
;=> 3
(mapv conversation/last [:user :assistant])
;=> [{"role" "user", "content" "Hello?"} {"role" "assistant", "content" "the run was cancelled", "status" "stopped"}]

;; Wrong roles and numbers.
(conversation/last :robot)
;! unknown-option `conversation/last` knows no role :robot
(conversation/all 5)
;! wrong-type `conversation/all` expects a role such as `:user`, found an integer 5
(conversation/last :user "5")
;! wrong-type `conversation/last` expects a number of messages, found a string "5"
(conversation/last nil)
;! wrong-type `conversation/last` expects a role such as `:user`, found nil
(conversation/all :user 5)
;! wrong-arity `conversation/all` takes 0 to 1 arguments, not 2
(conversation/recent)
;! unknown-name `conversation/recent` is not defined
(:contents (conversation/last :user))
;=> nil
(+ 1 (conversation/last :user))
;! wrong-type `+` expects numbers, its second argument is a map {"role" "user", "content" "Hello?"}
