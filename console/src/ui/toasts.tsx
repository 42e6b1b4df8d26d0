import { Toast } from '@base-ui/react/toast'
import { isParleyError } from '@parley/client'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Shows a success toast. */
export const showToast = (title: string, description?: string): void =>
  void manager.add({ title, type: 'done', ...(description && { description }) })

/** Shows an error toast with the server's message. */
export const showError = (error: unknown, title = 'Something went wrong'): void => {
  const description = error instanceof Error ? error.message : String(error)
  const request = isParleyError(error) && error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  manager.add({ title, description: description + request, type: 'problem', timeout: 9000 })
}

export const Toasts = ({ children }: { children: ReactNode }) => (
  <Toast.Provider toastManager={manager}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast ${toast.type ?? ''}`}>
      <Toast.Content className="toast-content">
        {toast.type === 'problem' ? <CircleAlert aria-hidden size={18} /> : <CircleCheck aria-hidden size={18} />}
        <div className="grow">
          <Toast.Title className="toast-title" />
          <Toast.Description className="toast-text" />
        </div>
        <Toast.Close className="icon-button" aria-label="Dismiss">
          <X aria-hidden size={15} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
