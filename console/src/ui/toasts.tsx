import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain, type Failure, toFailure } from './errors.ts'

const manager = Toast.createToastManager<Failure>()

/** Shows a success toast. */
export const showToast = (title: string, description?: string): void =>
  void manager.add({ title, type: 'done', ...(description && { description }) })

/** Shows an error toast in the words of the console. */
export const showError = (error: unknown, title?: string): void => {
  const failure = toFailure(error)
  const explained = explain(failure)
  manager.add({
    title: title ?? explained.title,
    description: explained.text,
    type: 'problem',
    timeout: 9000,
    data: failure,
  })
}

interface ToastsProps {
  /** The action in an error toast. */
  action: (failure: Failure) => ReactNode
  children: ReactNode
}

export const Toasts = ({ action, children }: ToastsProps) => (
  <Toast.Provider toastManager={manager}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List action={action} />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function List({ action }: Pick<ToastsProps, 'action'>) {
  const { toasts } = Toast.useToastManager<Failure>()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast ${toast.type ?? ''}`}>
      <Toast.Content className="toast-content">
        {toast.type === 'problem' ? <CircleAlert aria-hidden size={18} /> : <CircleCheck aria-hidden size={18} />}
        <div className="grow">
          <Toast.Title className="toast-title" />
          <Toast.Description className="toast-text" />
          {toast.data && action(toast.data)}
        </div>
        <Toast.Close className="icon-button" aria-label="Dismiss">
          <X aria-hidden size={15} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
