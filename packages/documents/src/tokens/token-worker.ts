import { serve } from '@parley/threads'
import { countTokens } from './tokens.ts'

const methods = { count: (texts: readonly string[]) => texts.map(countTokens) }

export type TokenMethods = typeof methods

void serve(methods)
