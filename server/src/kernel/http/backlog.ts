/** Connections that may wait to be accepted. Node's default of 511 resets some of a thousand simultaneous ones. */
export const backlog = 4096
