let count = 0

/** The ports of services that all tests of a process share, and that stay open. */
export const sharedPorts = (): number => count

export const addSharedPort = (): void => void count++
