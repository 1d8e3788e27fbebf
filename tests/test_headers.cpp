// Nothing: the precompiled header needs a source to belong to.
