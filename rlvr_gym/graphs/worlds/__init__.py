"""Parts of the generator of synthetic worlds: names, the laws of the world, and the draw of its facts."""
