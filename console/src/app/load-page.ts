import type { FunctionComponent } from 'react'

type Loaded = { default: FunctionComponent }

const answers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * Loads the code of a page. Where that is gone because the service was renewed, the router loads the console anew; but
 * while nobody answers that would put the browser's own error in its place, so the console tells it instead.
 */
export const loadPage = (load: () => Promise<Loaded>) => (): Promise<Loaded> =>
  load().catch(async (error: unknown) => {
    if (await answers()) throw error
    throw new Error('This page could not be loaded: the service does not answer. Check that it runs, then try again.')
  })
