// Runs before anything is painted, so that the page does not flash in the other colours.
document.documentElement.dataset.theme = localStorage.getItem('parley-theme') ?? 'system'
