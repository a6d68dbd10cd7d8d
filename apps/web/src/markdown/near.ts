// SPDX-License-Identifier: Apache-2.0
// Tells elements when they come near what a person looks at, and when they are far away again: what is far need not be in the document.

const told = new WeakMap<Element, (near: boolean) => void>();
const margins = { far: '300% 0px', near: '75% 0px', inView: '25% 0px' };
const watchers = {
  far: new WeakMap<Element, IntersectionObserver>(),
  near: new WeakMap<Element, IntersectionObserver>(),
  inView: new WeakMap<Element, IntersectionObserver>(),
}; // by the element that scrolls

/** `on` is called soon, and then whenever it changes. The answer ends it. */
export function watch(element: Element, how: keyof typeof margins, on: (near: boolean) => void): () => void {
  const scroller = element.closest('.scroll');
  if (!scroller) {
    on(true);
    return () => {};
  }
  let watcher = watchers[how].get(scroller);
  if (!watcher) {
    watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) told.get(entry.target)?.(entry.isIntersecting);
      },
      { root: scroller, rootMargin: margins[how] },
    );
    watchers[how].set(scroller, watcher);
  }
  told.set(element, on);
  watcher.observe(element);
  return () => {
    told.delete(element);
    watcher.unobserve(element);
  };
}

/** Whether a person has selected something in it, which would be lost with it. */
export function isSelected(element: Element): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
