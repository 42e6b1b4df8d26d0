import type { Schemas } from '@parley/client'

export type Budget = Schemas['UsageThreshold']
