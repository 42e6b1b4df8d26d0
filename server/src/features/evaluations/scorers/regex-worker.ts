import { serve } from '@parley/threads'

const methods = {
  test: (pattern: string, flags: string, text: string): boolean => new RegExp(pattern, flags).test(text),
}
export type RegexMethods = typeof methods

void serve(methods)
