// For a page opened as a file, which may not fetch: the search finds its index in a script. (Part of smalldocs.js.)
if (location.protocol === 'file:') {
  const here = document.currentScript.src;
  window.fetch = () => new Promise(done => {
    const index = document.createElement('script');
    index.src = new URL('search-index.js', here);
    index.onload = () => done({json: () => window.searchIndex});
    document.head.append(index);
  });
}

