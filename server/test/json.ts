// biome-ignore lint/suspicious/noExplicitAny: tests check the shape of responses themselves
export type Json = any
