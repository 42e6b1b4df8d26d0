/** How many connections may wait to be accepted: a thousand that come at once overflow Node's 511, and some are reset. */
export const backlog = 4096
