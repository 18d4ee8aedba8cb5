;; ctx: {"roles": {"viewer": ["read"], "editor": ["read", "write"], "admin": ["read", "write", "delete", "grant"]}, "users": [{"name": "ann", "roles": ["viewer"], "extra": ["export"]}, {"name": "bob", "roles": ["editor", "viewer"], "denied": ["write"]}, {"name": "cat", "roles": ["admin"]}, {"name": "dan", "roles": ["ghost"]}],
;; ctx:  "requests": [{"user": "ann", "needs": ["read", "export"]}, {"user": "bob", "needs": ["read", "write"]}, {"user": "cat", "needs": ["grant"]}, {"user": "eve", "needs": ["read"]}, {"user": "dan", "needs": ["read"]}]}
(require '[clojure.set :as set]
         '[clojure.string :as str])

(defn role-permissions [role]
  (set (get ctx/roles (keyword role))))

(defn permissions [{:keys [roles extra denied]}]
  (-> (reduce set/union #{} (map role-permissions roles))
      (set/union (set extra))
      (set/difference (set denied))))

(def user-permissions
  (zipmap (map :name ctx/users)
          (map permissions ctx/users)))

(defn decide [{:keys [user needs]}]
  (if-let [granted (get user-permissions user)]
    (let [missing (set/difference (set needs) granted)]
      (if (empty? missing)
        {:user user :decision :allow}
        {:user user :decision :deny :missing (sort missing)}))
    {:user user :decision :unknown-user}))

(let [decisions (mapv decide ctx/requests)
      everyone (vals user-permissions)
      unused (set/difference (apply set/union (map set (vals ctx/roles)))
                             (set (mapcat :needs ctx/requests)))]
  {:decisions decisions
   :counts (into (sorted-map) (frequencies (map :decision decisions)))
   :shared-by-first-two (sort (apply set/intersection (take 2 everyone)))
   :subset? (set/subset? (user-permissions "ann") (user-permissions "cat"))
   :unused (sort unused)})
