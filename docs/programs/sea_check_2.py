fields = sea.evaluate(3.0)
for field, each in zip(fields, sea.tiles, strict=True):
    assert abs(4 * np.std(field["height"]) / waves.significant_height(each) - 1) < 0.3
assert sea.dispatches == 2
