# Every target does its own set-up; a second run skips what is done. ARGS="..." goes to the program a target runs,
# as in `make ocean ARGS="--wind 15"` or `make test ARGS="-k ocean -x"`; PYTHON=python3.12 picks the interpreter.

BIN = .venv/bin
INTERPRETED_LOG = .venv/interpreted.log
ARGS =
export PYTHON

# Window tests get a display of their own, so that they neither need nor disturb the desktop. -noreset keeps the
# server between two windows; a Wayland session, which GLFW would prefer, is hidden from it.
VIRTUAL_DISPLAY = env -u WAYLAND_DISPLAY xvfb-run -a -s "-screen 0 1280x1024x24 -noreset"

# Some containers forbid Python to keep compiled modules; each process that a test starts would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help ocean test test-installed test-drivers lint bench docs pages clean
.DEFAULT_GOAL = help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*##\(.*\)/  make \1 \2/p' Makefile

ocean:  ## show the ocean: a window, or out/ocean.mp4 and out/ocean.png where there is no display
	@sh .ci/setup all gl
	@$(BIN)/glfft ocean $(ARGS)

PYTEST = $(VIRTUAL_DISPLAY) $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal
# Many programs that run once, on short lines: compiling them is nearly all that a processor does. Where there is no GPU
# these tests interpret their shaders, in a third of the time. All others, and test-drivers, compile. So do the tests of
# every radix, two files of the engine's tests that need textures of several samples, and small pictures in pieces, long
# buffers, float64's kernels and points of many seas, which softpipe (Mesa 22.3.6) gets wrong.
COMPILED = $(foreach each,images snippet_uniforms_types,tests/engine/test_$(each).py) \
	tests/algorithms/test_registry_long_buffers.py tests/test_plan_double.py \
	$(foreach each,butterflies pictures_kernels,tests/algorithms/stockham/test_$(each).py)
INTERPRETED = $(filter-out $(COMPILED),$(shell find $(foreach each,algorithms arrays convolution engine,tests/$(each)) \
	-name 'test_*.py') $(wildcard tests/test_arrays*.py tests/test_plan*.py tests/test_scipy*.py tests/test_snippets.py tests/test_docs_programs.py) \
	$(foreach each,filtering matching signal_to_noise,tests/apps/test_$(each).py) \
	$(foreach each,mota ambuluri ambuluri_kernels channelizer_stages del_mundo hinitt hinitt_streams \
			hinitt_batches_sampled_transforms report, \
		tests/apps/papers/test_$(each).py) \
	$(foreach each,accuracy_page benchmark cufft_interop frames own own_convolutions own_ocean performance_page workload_images, \
		tests/apps/bench/test_$(each).py) \
	$(foreach each,painting viewer display_transform display,tests/apps/spectrum/test_$(each).py) \
	$(foreach each,bench filter info match spectrum,tests/commands/test_$(each).py) \
	$(foreach each,many step step_separate,tests/sea/test_$(each).py) \
	tests/channelizer/test_bank.py tests/files/test_spectra.py tests/shaders/test_glsl_valid.py \
	$(foreach each,measure precompile precompile_later workbench,tests/tuning/test_$(each).py) \
	$(foreach each,device_report layers packaging,tests/test_$(each).py))

# Compilers of shaders walk through much memory: large pages save a tenth, memory that is kept between programs a
# twentieth of an interpreted test's time. They help programs that LLVM compiles nothing.
KEEP_MEMORY = MALLOC_TOP_PAD_=67108864 MALLOC_TRIM_THRESHOLD_=1073741824 GLIBC_TUNABLES=glibc.malloc.hugetlb=1

# Both parts at once, on half the processors each: tests are collected once, and no processor waits for the last test of
# the first part. Its output comes at the end.
test:  ## run all tests, window tests on a virtual display included
	@sh .ci/setup all,demos,test,docs gl xvfb glslang
	@$(if $(ARGS),$(PYTEST) --devices $(ARGS),$(VIRTUAL_DISPLAY) sh -c ' \
		part="$(BIN)/python -m pytest --dist worksteal -n $$(($$(getconf _NPROCESSORS_ONLN) > 3 ? 2 : 0))"; \
		$(KEEP_MEMORY) $$part --interpret $(INTERPRETED) >$(INTERPRETED_LOG) 2>&1 & \
		$$part --devices --without "$(INTERPRETED)"; compiled=$$?; \
		wait $$!; interpreted=$$?; cat $(INTERPRETED_LOG); exit $$((compiled ? compiled : interpreted))')

# Another compiler of the same GLSL: Mesa's OpenGL on Vulkan, through GLX instead of EGL. docs/devices.md says what is
# wrong with uniforms that zink writes into its programs as constants. It is zink that is tested: LLVM, which compiles
# what zink makes of a program and has optimized it in the other tests, need not optimize it again.
ZINK = MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_KOPPER_DRI2=1 LIBGL_ALWAYS_SOFTWARE=1 \
	ZINK_INLINE_UNIFORMS=0 GLFFT_WINDOW_SYSTEM=glx GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
CONVOLVE = tests/test_plan_convolve.py::test
VOLUMES = tests/test_plan_volumes.py::test
# Two minutes on two cores: each kind of transform, the driver's own room, the sea's fields and pictures.
# Without copies of arrays: once in some ten runs zink read zeros from a texture that a transform had just stored in.
ZINK_TESTS = tests/test_software_renderer.py tests/gl --ignore=tests/gl/interop tests/engine \
	--ignore=tests/engine/test_export.py --ignore=tests/engine/test_array_ends.py \
	tests/test_plan.py $(CONVOLVE)_every_storage_agrees_with_float64_numpy $(CONVOLVE)_any_shape_axes_and_norm \
	$(CONVOLVE)_lines_too_long_for_a_work_group_go_in_parts $(CONVOLVE)_load_comes_first_and_store_last \
	$(CONVOLVE)_in_place_and_again_gives_the_same_bits \
	$(VOLUMES)_all_axes_in_both_directions $(VOLUMES)_real_volumes $(VOLUMES)_every_storage $(VOLUMES)_every_algorithm \
	$(VOLUMES)_convolution_with_a_texture tests/algorithms/test_stages_ping_pong.py \
	tests/algorithms/study/test_four_by_four.py tests/algorithms/study/test_word_groups.py \
	tests/sea/test_step.py tests/sea/test_maps.py tests/sea/test_simulation_morph.py tests/apps/ocean/test_scene.py

test-drivers:  ## run some of the tests with a second compiler, Mesa's zink over lavapipe
	@sh .ci/setup all,demos,test,docs gl xvfb lavapipe
	@$(ZINK) $(PYTEST) --results $(or $(ARGS),$(ZINK_TESTS))

test-installed:  ## run all tests with the python there is (PYTHON=...), install nothing, keep what passed where
	@$(or $(PYTHON),python3) tests/run_installed.py $(ARGS)

lint:  ## check style and types
	@sh .ci/setup all,test,dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright $(ARGS)

bench:  ## time the transforms on this machine
	@sh .ci/setup all,test gl
	@$(BIN)/glfft bench $(ARGS)

docs:  ## build the documentation's site into site/; a link that leads nowhere ends it
	@sh .ci/setup docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build $(ARGS)

pages:  ## write tables and printed outputs in the pages anew, from the code (ARGS=--figures: the figures too)
	@sh .ci/setup all gl
	@$(BIN)/python docs/make_pages.py $(ARGS)

clean:  ## remove what the other targets made, the virtual environment included
	rm -rf .venv out site build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find glfft demos assets tests docs -name __pycache__ -prune -exec rm -rf {} +
