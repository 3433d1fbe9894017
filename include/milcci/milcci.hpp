// Everything a user of the library includes.
#pragma once

#include "milcci/check.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "milcci/labels.hpp"
#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "milcci/prepare.hpp"
#include "milcci/read.hpp"
#include "milcci/recipes.hpp"
#include "milcci/simulate.hpp"
#include "milcci/spike_rates.hpp"
#include "milcci/trials.hpp"
#include "milcci/types.hpp"
#include "milcci/version.hpp"
