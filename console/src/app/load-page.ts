import type { FunctionComponent } from 'react'

type Loaded = { default: FunctionComponent }

const serverResponds = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * Loads the code of a page. If the file is gone after an upgrade, the router reloads the console. If the server is
 * down, a reload would show the browser's error page, so the console shows its own.
 */
export const loadPage = (load: () => Promise<Loaded>) => (): Promise<Loaded> =>
  load().catch(async (error: unknown) => {
    if (await serverResponds()) throw error
    throw new Error('This page could not load: the server is not responding. Check that it is running, then try again.')
  })
