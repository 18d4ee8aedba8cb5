(return (* ctx/amount (call "rate" {:currency ctx/currency})))
